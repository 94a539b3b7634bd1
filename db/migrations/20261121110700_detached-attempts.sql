-- Up Migration

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
