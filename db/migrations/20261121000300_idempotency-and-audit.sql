-- Up Migration

-- Successful answers by idempotency key, written in the transaction that did the work (docs/spec/rulings.md, 3).
create table idempotency_records (
  site_id uuid not null references sites (id),
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  location text,
  etag text,
  created_at timestamptz(3) not null,
  constraint idempotency_records_pkey primary key (site_id, operation, key)
);

create index idempotency_records_created_at_idx on idempotency_records (created_at);

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
  constraint audit_log_actor_kind_check check (actor_kind in ('key', 'person', 'system'))
);

create index audit_log_site_id_idx on audit_log (site_id, id);
create index audit_log_organisation_id_idx on audit_log (organisation_id, id) where site_id is null;
