-- Up Migration

-- What happened, with the body that deliveries carry, byte for byte, made once.
create table events (
  id uuid primary key,
  site_id uuid not null references sites (id),
  event text not null,
  created_at timestamptz(3) not null,
  body text not null,
  -- As in outbox.
  traceparent text
);

create index events_site_id_idx on events (site_id, created_at, id);
create index events_created_at_idx on events (created_at);

-- What a committed change asks of Temporal: the relay starts or signals the workflow, then deletes the row.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  workflow_id text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  available_at timestamptz(3) not null,
  attempts integer not null default 0,
  last_error text,
  -- Where in which trace (W3C's traceparent) it was made, where that was traced: what comes of it later is a part of the same
  -- trace.
  traceparent text
);

create index outbox_available_at_idx on outbox (available_at, id);
-- The relay takes messages of one Site after the other.
create index outbox_site_idx on outbox ((coalesce(payload ->> 'siteId', '')), available_at, id);

-- Public addresses whose cached copies are stale; a row leaves when the cache has been told.
create table cache_purges (
  id uuid primary key,
  site_id uuid not null references sites (id),
  urls text[] not null,
  outbox_id bigint not null,
  created_at timestamptz(3) not null,
  -- The keys under which a cache has what is stale.
  keys text[] not null default '{}',
  -- Pages that are too many to be named at once: which, and how far the workflow has come.
  pages jsonb
);

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
  -- Since when an endpoint has been paused; null where it is not.
  paused_at timestamptz(3),
  constraint webhook_endpoints_disabled_check check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
) with (fillfactor = 70);

create index webhook_endpoints_site_id_idx on webhook_endpoints (site_id, id);
-- Paused endpoints are few, and looked for each second.
create index webhook_endpoints_paused_idx on webhook_endpoints (id) where paused;

-- What waits to be sent: one row an event and endpoint, from the event's transaction until it has arrived or
-- its attempts are used up.
create table webhook_queue (
  -- No foreign key: a cascade would remove all of it in the transaction of the request. Every write locks the endpoint first,
  -- so that none comes after its deletion.
  endpoint_id uuid not null,
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
-- Attempts in flight are few, however much waits for an endpoint.
create index webhook_queue_leased_idx on webhook_queue (endpoint_id, leased_until) where leased_until is not null;

-- Attempts under way whose place in the queue is gone: a redelivery took it, or the endpoint was disabled. Whoever
-- makes one writes it to the log and takes it out of here; where he died, it is logged once its lease is over.
create table webhook_detached_attempts (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null,
  event text not null,
  attempt integer not null,
  redelivery boolean not null,
  leased_at timestamptz(3) not null,
  leased_until timestamptz(3) not null
);

create index webhook_detached_attempts_endpoint_id_idx on webhook_detached_attempts (endpoint_id, leased_until);

-- The delivery log: one row an HTTP attempt.
create table webhook_deliveries (
  id uuid primary key,
  -- No foreign key, as in webhook_queue.
  endpoint_id uuid not null,
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

-- Endpoints that are deleted, and whose log and queue housekeeping still has to remove.
create table deleted_webhook_endpoints (
  id uuid primary key,
  deleted_at timestamptz(3) not null
);
