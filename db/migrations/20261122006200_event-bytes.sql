-- Up Migration

-- Whether the bytes of a Site's events have reached the ceiling: read with each request's key.
alter table sites add column events_full boolean not null default false;

-- What a Site's events take, as far as it has been folded; what came after is in event_byte_changes.
alter table site_usage add column event_bytes bigint not null default 0;

-- Writes only insert here, so that none of them waits for another over a count.
create table event_byte_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null,
  bytes bigint not null
);
