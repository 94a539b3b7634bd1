-- Up Migration

create function refuse_change_of_kept_rows() returns trigger language plpgsql as $$
begin
  raise exception '% takes new rows only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

-- As for the audit log: also where everything runs under one role, a balance can be told from its ledger.
create trigger credit_ledger_append_only before update or delete or truncate on credit_ledger
  for each statement execute function refuse_change_of_kept_rows();
