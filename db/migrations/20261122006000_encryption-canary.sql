-- Up Migration

-- Something sealed with ENCRYPTION_KEY, by which every process that starts sees whether it has the same key. There is one.
create table encryption_canary (
  id boolean primary key default true,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  constraint encryption_canary_id_check check (id)
);
