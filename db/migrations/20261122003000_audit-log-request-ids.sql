-- Up Migration

-- The Request-Id of the request that wrote the row; null for the system.
alter table audit_log add column request_id text;
-- Whether the row tells of content. Such rows are deleted after 400 days, all others stay (docs/spec/rulings.md, 14).
alter table audit_log add column content boolean not null default false;

create function refuse_audit_log_deletion() returns trigger language plpgsql as $$
begin
  if old.content and old.at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'audit_log takes new rows only; rows about content are deleted after 400 days'
    using errcode = 'insufficient_privilege';
end
$$;

-- For every role, the owner included, and by the clock of the database.
create trigger audit_log_deletion before delete on audit_log
  for each row execute function refuse_audit_log_deletion();

drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_audit_log_change();
