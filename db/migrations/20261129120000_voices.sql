-- Up Migration

-- How a Site wants its pipeline to write; a Site that has never said so has no row.
create table voices (
  site_id uuid constraint voices_pkey primary key references sites (id),
  audience text,
  tone text,
  -- What texts do, and what they avoid.
  advice jsonb not null,
  avoid jsonb not null,
  vocabulary jsonb not null,
  -- In their order. Those that have been deleted since are not shown.
  sample_article_ids uuid[] not null,
  version integer not null default 1,
  updated_at timestamptz(3) not null,
  constraint voices_samples_check check (cardinality(sample_article_ids) <= 5)
);
