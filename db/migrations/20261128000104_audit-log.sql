-- Up Migration

create table audit_log (
  id uuid primary key,
  organisation_id uuid references organisations (id),
  site_id uuid references sites (id),
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  action text not null,
  target_type text,
  target_id uuid,
  details jsonb not null default '{}',
  -- The Request-Id of the request that wrote the row; null for the system.
  request_id text,
  -- Whether the row tells of content. Such rows are deleted after 400 days, all others stay (docs/spec/rulings.md, 14).
  content boolean not null default false,
  constraint audit_log_actor_kind_check check (actor_kind in ('key', 'person', 'system'))
);

-- One for each of the two streams that the log of a Site is merged from, in its order.
create index audit_log_site_idx on audit_log (site_id, at, id);
create index audit_log_organisation_idx on audit_log (organisation_id, at, id) where site_id is null;
-- One for each filter and each of the two streams, in the order of its pages.
create index audit_log_site_action_idx on audit_log (site_id, action, at, id) where site_id is not null;
create index audit_log_site_actor_idx on audit_log (site_id, actor_id, at, id)
  where site_id is not null and actor_id is not null;
create index audit_log_site_target_idx on audit_log (site_id, target_id, at, id)
  where site_id is not null and target_id is not null;
create index audit_log_organisation_action_idx on audit_log (organisation_id, action, at, id) where site_id is null;
create index audit_log_organisation_actor_idx on audit_log (organisation_id, actor_id, at, id)
  where site_id is null and actor_id is not null;
create index audit_log_organisation_target_idx on audit_log (organisation_id, target_id, at, id)
  where site_id is null and target_id is not null;
-- What concerns the whole platform: a handful of rows, which every Site sees.
create index audit_log_platform_idx on audit_log (at, id) where organisation_id is null and site_id is null;
-- Housekeeping deletes rows about content by their age.
create index audit_log_content_idx on audit_log (at) where content;

create function refuse_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log takes new rows only' using errcode = 'insufficient_privilege';
end
$$;

-- An erased member loses their name in the log, with those of their keys and devices and the addresses that they signed in
-- from. Everything else of a row stays.
create function refuse_audit_log_update() returns trigger language plpgsql as $$
begin
  if new.actor_name in (old.actor_name, 'erased')
    and new.details in (old.details, old.details - 'client_name', old.details - '{client_name,client_address}'::text[])
    and (to_jsonb(new) - '{actor_name,details}'::text[]) = (to_jsonb(old) - '{actor_name,details}'::text[])
    and exists (
      select from members m where m.erased_at is not null and (
        m.id = old.actor_id or m.id = (select k.member_id from api_keys k where k.id = old.actor_id)
      )
    )
  then
    return new;
  end if;
  raise exception 'audit_log takes new rows only' using errcode = 'insufficient_privilege';
end
$$;

-- Rows of the log about content are deleted after 400 days; all rows of a Site or an organisation with it.
create function refuse_audit_log_deletion() returns trigger language plpgsql as $$
begin
  if old.content and old.at < now() - interval '400 days' then
    return old;
  end if;
  if exists (select from deletions where target_id in (old.site_id, old.organisation_id)) then
    return old;
  end if;
  raise exception 'audit_log takes new rows only; rows about content are deleted after 400 days'
    using errcode = 'insufficient_privilege';
end
$$;

revoke update, delete, truncate on audit_log from public;

-- For every role, the owner included, and by the clock of the database.
create trigger audit_log_deletion before delete on audit_log
  for each row execute function refuse_audit_log_deletion();
create trigger audit_log_update before update on audit_log
  for each row execute function refuse_audit_log_update();
create trigger audit_log_append_only before truncate or update of
  id, organisation_id, site_id, at, actor_kind, actor_id, action, target_type, target_id, request_id, content on audit_log
  for each statement execute function refuse_audit_log_change();
