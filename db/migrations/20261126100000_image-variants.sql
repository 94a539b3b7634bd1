-- Up Migration

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
  constraint image_variants_pkey primary key (asset_id, width, format),
  constraint image_variants_width_check check (width in (320, 640, 960, 1280, 1920, 2560)),
  constraint image_variants_format_check check (format in ('jpeg', 'png', 'webp', 'gif', 'avif')),
  constraint image_variants_outcome_check check (outcome in ('stored', 'original'))
);

-- Whether the image has several frames; null for one that was registered before this was noted.
alter table media_assets add column animated boolean;
