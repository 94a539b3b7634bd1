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

-- Under the locale C, with which the embedded database is made, lower(name) leaves Ä before a: this collation folds every
-- script.
create index categories_caseless_name_idx on categories (site_id, lower(name collate "pg_c_utf8"), id);
create index categories_folded_name_idx on categories (site_id, (search_folded(name) collate "C"));

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

create index tags_caseless_name_idx on tags (site_id, lower(name collate "pg_c_utf8"), id);
create index tags_folded_name_idx on tags (site_id, (search_folded(name) collate "C"));

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

create index authors_caseless_name_idx on authors (site_id, lower(name collate "pg_c_utf8"), id);
create index authors_folded_name_idx on authors (site_id, (search_folded(name) collate "C"));

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

create table articles (
  id uuid primary key,
  site_id uuid not null references sites (id),
  status text not null,
  title text,
  slug text collate "C",
  content text,
  excerpt text,
  featured_image_url text,
  seo_title text,
  seo_description text,
  seo_keywords jsonb,
  faqs jsonb,
  key_takeaways jsonb,
  howto_steps jsonb,
  comparison jsonb,
  category_id uuid,
  author_id uuid,
  format_id uuid,
  external_id text,
  published_at timestamptz(3),
  content_updated_at timestamptz(3),
  scheduled_publish_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint articles_site_slug_key unique (site_id, slug),
  constraint articles_category_fkey foreign key (site_id, category_id) references categories (site_id, id),
  constraint articles_author_fkey foreign key (site_id, author_id) references authors (site_id, id),
  constraint articles_format_fkey foreign key (format_id) references content_types (id),
  constraint articles_status_check check (status in (
    'draft', 'scheduled', 'published', 'discovered', 'scored', 'skipped', 'scraped', 'generated',
    'needs_improvement', 'needs_images', 'queued', 'rejected', 'failed'
  )),
  constraint articles_scheduled_check check ((status = 'scheduled') = (scheduled_publish_at is not null)),
  constraint articles_public_check check (
    status not in ('scheduled', 'published') or (title is not null and slug is not null and content is not null)
  ),
  constraint articles_published_at_check check (status <> 'published' or published_at is not null)
) with (fillfactor = 90);

-- An index for each order of the list, and for each filter in the default order.
create index articles_updated_at_idx on articles (site_id, updated_at, id);
create index articles_created_at_idx on articles (site_id, created_at, id);
create index articles_published_at_desc_idx on articles (site_id, published_at desc nulls last, id desc);
create index articles_published_at_asc_idx on articles (site_id, published_at asc nulls last, id asc);
create index articles_status_idx on articles (site_id, status, updated_at, id);
create index articles_category_idx on articles (site_id, category_id, updated_at, id) where category_id is not null;
create index articles_author_idx on articles (site_id, author_id, updated_at, id) where author_id is not null;
create index articles_external_id_idx on articles (site_id, external_id, updated_at, id) where external_id is not null;
create index articles_scheduled_idx on articles (scheduled_publish_at) where status = 'scheduled';
-- What is due is published Site by Site.
create index articles_due_by_site_idx on articles (site_id, scheduled_publish_at, id)
  where status = 'scheduled';

create table article_tags (
  article_id uuid not null references articles (id) on delete cascade,
  tag_id uuid not null,
  site_id uuid not null,
  primary key (article_id, tag_id),
  constraint article_tags_tag_fkey foreign key (site_id, tag_id) references tags (site_id, id)
);

create index article_tags_tag_idx on article_tags (site_id, tag_id, article_id);

-- What an article was after each change of a member that clients may write: the newest 100, and those that their bodies
-- are based on. A row never changes.
create table article_revisions (
  article_id uuid not null references articles (id) on delete cascade,
  -- The version that the change made.
  number integer not null,
  site_id uuid not null,
  created_at timestamptz(3) not null,
  actor_kind text not null,
  -- The key or the person, whose name is read from there, so that it is erased with them.
  actor_id uuid,
  -- Of the system alone.
  actor_name text,
  changed text[] not null,
  title text,
  -- Taxonomy may take these from the article without a revision.
  category_id uuid,
  author_id uuid,
  tag_ids uuid[] not null,
  -- Of all other members, which `body` has compressed: whole, or as the difference to the revision before.
  digest bytea not null,
  whole boolean not null,
  body bytea not null,
  constraint article_revisions_pkey primary key (article_id, number),
  constraint article_revisions_actor_kind_check check (actor_kind in ('key', 'person', 'system')),
  constraint article_revisions_actor_check check ((actor_kind = 'system') = (actor_id is null))
);

-- It is compressed already. A list reads no body, and a large one is stored apart from the row.
alter table article_revisions alter column body set storage external;

-- Edits of published articles that are not shown yet.
create table pending_edits (
  article_id uuid primary key references articles (id) on delete cascade,
  site_id uuid not null references sites (id),
  -- The version of the article when the edit was begun, and its writable members as they were then.
  base_version integer not null,
  base jsonb not null,
  -- The members that the edit sets.
  changes jsonb not null,
  -- What stood against the edit at its time.
  conflict text[] not null default '{}',
  scheduled_at timestamptz(3),
  version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index pending_edits_site_id_idx on pending_edits (site_id);
create index pending_edits_scheduled_at_idx on pending_edits (scheduled_at) where scheduled_at is not null;

-- Addresses that show an article to those who know them. Of the token only the hash.
create table preview_links (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- The key that made it, which it ends with; null for none. No foreign key: deleted keys of the dashboard leave it behind.
  key_id uuid,
  constraint preview_links_token_hash_key unique (token_hash)
);

create index preview_links_article_id_idx on preview_links (article_id, id);
create index preview_links_site_id_idx on preview_links (site_id, expires_at);
create index preview_links_expires_at_idx on preview_links (expires_at);

-- Bulk jobs: one action for many articles, carried out by the worker.
create table bulk_jobs (
  id uuid primary key,
  site_id uuid not null references sites (id),
  action text not null,
  -- The members of the request that go with the action.
  parameters jsonb not null,
  status text not null constraint bulk_jobs_status_check check (status in ('queued', 'running', 'completed', 'cancelled')),
  -- Whose changes they are, for the audit log.
  key_id uuid not null references api_keys (id),
  request_id text not null,
  created_at timestamptz(3) not null,
  -- When its workflow was seen last.
  active_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint bulk_jobs_finished_at_check check ((finished_at is not null) = (status in ('completed', 'cancelled')))
);

create index bulk_jobs_site_id_idx on bulk_jobs (site_id);
create index bulk_jobs_unfinished_idx on bulk_jobs (site_id, created_at, id) where finished_at is null;
create index bulk_jobs_active_at_idx on bulk_jobs (active_at) where finished_at is null;
create index bulk_jobs_finished_at_idx on bulk_jobs (finished_at) where finished_at is not null;

create table bulk_items (
  job_id uuid not null references bulk_jobs (id) on delete cascade,
  position integer not null,
  -- The article may be deleted.
  article_id uuid not null,
  -- The only version that the action is allowed for: of an article that a person let an agent delete.
  version integer,
  status text not null constraint bulk_items_status_check check (status in ('waiting', 'done', 'failed')),
  error_code text,
  error_message text,
  primary key (job_id, position),
  constraint bulk_items_error_check check ((status = 'failed') = (error_code is not null and error_message is not null))
);

-- An article that is not published has none. A trigger also finds one that was committed while the update waited.
create function discard_pending_edit() returns trigger language plpgsql as $$
begin
  delete from pending_edits where article_id = new.id;
  return null;
end $$;

create trigger content_types_kept before delete on content_types for each row execute function keep_row_of_site();
create trigger articles_discard_pending_edit after update of status on articles
  for each row when (old.status = 'published' and new.status <> 'published')
  execute function discard_pending_edit();
