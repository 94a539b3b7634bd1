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
  -- What an upload may have at most, where the client said so; what a Site has reserved at once is limited by it.
  size_bytes bigint,
  -- The version of the upload that is copied to its public key, and until when no other may be.
  copied_etag text,
  copying_until timestamptz(3),
  constraint upload_reservations_bucket_check check (bucket in ('blog-images', 'author-avatars')),
  constraint upload_reservations_status_check check (status in ('reserved', 'registered', 'rejected'))
);

create index upload_reservations_expires_at_idx on upload_reservations (expires_at);
create index upload_reservations_reserved_idx on upload_reservations (site_id) where status = 'reserved';

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
  -- Whether the image has several frames.
  animated boolean not null,
  constraint media_assets_bucket_check check (bucket in ('blog-images', 'author-avatars'))
);

create index media_assets_site_id_idx on media_assets (site_id, created_at desc, id desc);
create index media_assets_bucket_idx on media_assets (site_id, bucket, created_at desc, id desc);
create index media_assets_keys_idx on media_assets
  using gin (search_keys(site_id, search_words(file_name || ' ' || coalesce(alt_text, '')))) with (fastupdate = off);
-- As for articles: each Site has words of its own.
alter index media_assets_keys_idx alter column 1 set statistics 0;

-- Smaller versions of images, each made once, when it is first asked for. A row is there before its object is, and leaves
-- with its image.
create table image_variants (
  asset_id uuid not null references media_assets (id) on delete cascade,
  width integer not null,
  format text not null,
  object_key text not null,
  -- Null until it is made. `original`: the image itself is given in its place.
  outcome text,
  tries integer not null,
  -- Until then a process is making it.
  leased_until timestamptz(3) not null,
  -- Until then a variant that failed several times is not tried again, and the image itself is given in its place.
  rests_until timestamptz(3),
  constraint image_variants_pkey primary key (asset_id, width, format),
  constraint image_variants_width_check check (width in (320, 640, 960, 1280, 1920, 2560)),
  constraint image_variants_format_check check (format in ('jpeg', 'png', 'webp', 'gif', 'avif')),
  constraint image_variants_outcome_check check (outcome in ('stored', 'original'))
);

-- Objects whose row is gone; a row leaves when the bytes have, too.
create table doomed_objects (
  id uuid primary key,
  site_id uuid not null references sites (id),
  object_key text not null,
  outbox_id bigint not null,
  created_at timestamptz(3) not null
);
