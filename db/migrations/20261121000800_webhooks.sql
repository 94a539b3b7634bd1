-- Up Migration

create table webhook_endpoints (
  id uuid primary key,
  site_id uuid not null references sites (id),
  url text not null,
  events text[] not null,
  description text,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamptz(3),
  -- Set by support; waiting deliveries stay where they are.
  paused boolean not null default false,
  consecutive_failures integer not null default 0,
  -- The signing secret, encrypted: it has to be read again for every signature.
  secret bytea not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint webhook_endpoints_disabled_check check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
) with (fillfactor = 70);

create index webhook_endpoints_site_id_idx on webhook_endpoints (site_id, id);

-- What waits to be sent: one row an event and endpoint, from the event's transaction until it has arrived or
-- its attempts are used up.
create table webhook_queue (
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null references events (id) on delete cascade,
  -- The number of the next attempt, or of the one under way.
  attempt integer not null default 1,
  due_at timestamptz(3) not null,
  redelivery boolean not null default false,
  -- The attempt under way: its id, and until when nobody else may take the row.
  delivery_id uuid,
  leased_at timestamptz(3),
  leased_until timestamptz(3),
  constraint webhook_queue_pkey primary key (endpoint_id, event_id),
  constraint webhook_queue_lease_check check ((delivery_id is null) = (leased_until is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

create index webhook_queue_due_idx on webhook_queue (endpoint_id, due_at, event_id);
create index webhook_queue_overdue_idx on webhook_queue (due_at);
create index webhook_queue_event_id_idx on webhook_queue (event_id);

-- The delivery log: one row an HTTP attempt.
create table webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null,
  event text not null,
  attempt integer not null,
  status text not null,
  response_status integer,
  error text,
  duration_ms integer not null,
  attempted_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  redelivery boolean not null,
  constraint webhook_deliveries_status_check check (status in ('succeeded', 'failed'))
);

create index webhook_deliveries_endpoint_idx on webhook_deliveries (endpoint_id, attempted_at desc, id desc);
create index webhook_deliveries_event_idx on webhook_deliveries (endpoint_id, event_id, attempted_at desc, id desc);
create index webhook_deliveries_attempted_at_idx on webhook_deliveries (attempted_at);

create index events_created_at_idx on events (created_at);
