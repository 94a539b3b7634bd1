-- Up Migration

-- What happened, with the body that deliveries carry, byte for byte, made once.
create table events (
  id uuid primary key,
  site_id uuid not null references sites (id),
  event text not null,
  created_at timestamptz(3) not null,
  body text not null
);

create index events_site_id_idx on events (site_id, created_at, id);

-- What a committed change asks of Temporal: the relay starts or signals the workflow, then deletes the row.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  workflow_id text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  available_at timestamptz(3) not null,
  attempts integer not null default 0,
  last_error text
);

create index outbox_available_at_idx on outbox (available_at, id);
