-- Up Migration

create function refuse_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log takes new rows only' using errcode = 'insufficient_privilege';
end
$$;

-- For each statement, so that one that would meet no row is refused as well. Only the table's owner can take it away.
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_log_change();

revoke update, delete, truncate on audit_log from public;
