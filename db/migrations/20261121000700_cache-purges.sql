-- Up Migration

-- Public addresses whose cached copies are stale; a row leaves when the cache has been told.
create table cache_purges (
  id uuid primary key,
  site_id uuid not null references sites (id),
  urls text[] not null,
  outbox_id bigint not null,
  created_at timestamptz(3) not null
);
