-- Up Migration

create table upload_reservations (
  id uuid primary key,
  site_id uuid not null references sites (id),
  bucket text not null,
  file_name text not null,
  status text not null default 'reserved',
  created_at timestamptz(3) not null,
  url_expires_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint upload_reservations_bucket_check check (bucket in ('blog-images', 'author-avatars')),
  constraint upload_reservations_status_check check (status in ('reserved', 'registered', 'rejected'))
);

create index upload_reservations_expires_at_idx on upload_reservations (expires_at);

-- Registered images. The id is the reservation's, so that one upload can become one asset only.
create table media_assets (
  id uuid primary key,
  site_id uuid not null references sites (id),
  bucket text not null,
  object_key text not null,
  file_name text not null,
  mime_type text not null,
  size_bytes bigint not null,
  width integer not null,
  height integer not null,
  alt_text text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  constraint media_assets_bucket_check check (bucket in ('blog-images', 'author-avatars'))
);

create index media_assets_site_id_idx on media_assets (site_id, created_at desc, id desc);
create index media_assets_bucket_idx on media_assets (site_id, bucket, created_at desc, id desc);

-- Objects whose row is gone; a row leaves when the bytes have, too.
create table doomed_objects (
  id uuid primary key,
  site_id uuid not null references sites (id),
  object_key text not null,
  outbox_id bigint not null,
  created_at timestamptz(3) not null
);
