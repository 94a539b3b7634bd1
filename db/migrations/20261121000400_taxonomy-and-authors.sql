-- Up Migration

-- article_count and published_article_count are kept by the writes of articles, so that no list ever counts rows.
create table categories (
  id uuid primary key,
  site_id uuid not null references sites (id),
  name text not null,
  slug text not null,
  article_count integer not null default 0,
  published_article_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint categories_site_id_key unique (site_id, id),
  constraint categories_site_slug_key unique (site_id, slug),
  constraint categories_counts_check check (published_article_count between 0 and article_count)
) with (fillfactor = 80);

create index categories_alphabetical_idx on categories (site_id, lower(name), id);

create table tags (
  id uuid primary key,
  site_id uuid not null references sites (id),
  name text not null,
  slug text not null,
  article_count integer not null default 0,
  published_article_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint tags_site_id_key unique (site_id, id),
  constraint tags_site_slug_key unique (site_id, slug),
  constraint tags_counts_check check (published_article_count between 0 and article_count)
) with (fillfactor = 80);

create index tags_alphabetical_idx on tags (site_id, lower(name), id);

create table authors (
  id uuid primary key,
  site_id uuid not null references sites (id),
  name text not null,
  slug text not null,
  bio text,
  avatar_url text,
  is_ai_generated boolean not null default false,
  article_count integer not null default 0,
  published_article_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint authors_site_id_key unique (site_id, id),
  constraint authors_site_slug_key unique (site_id, slug),
  constraint authors_counts_check check (published_article_count between 0 and article_count)
) with (fillfactor = 80);

create index authors_alphabetical_idx on authors (site_id, lower(name), id);

-- Article formats. A row without a Site is a platform default, with a fixed id.
create table content_types (
  id uuid primary key,
  site_id uuid references sites (id),
  key text not null,
  name text not null,
  blueprint jsonb not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint content_types_site_key_key unique nulls not distinct (site_id, key)
);
