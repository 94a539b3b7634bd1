-- Up Migration

-- The content plan: what a Site wants to write, in the order that people gave it.
create table plan_items (
  id uuid primary key,
  site_id uuid not null references sites (id),
  title text not null,
  notes text,
  keywords jsonb not null default '[]',
  source_url text,
  format_id uuid,
  category_id uuid,
  author_id uuid,
  target_date date,
  status text not null,
  -- What it was before a run took it.
  earlier_status text,
  -- A fraction as text (domain/content-plan/rank.ts): an item moves without a change of the others.
  rank text collate "C" not null,
  -- The article that a run made of it. An item that was given back keeps it out of sight: the next run continues with it.
  article_id uuid references articles (id) on delete set null,
  run_id uuid references pipeline_runs (id),
  words text generated always as (
    search_words(title || ' ' || coalesce(notes, '') || ' ' || keywords::text)
  ) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Checked at the end of a statement, because one may write many ranks anew.
  constraint plan_items_site_rank_key unique (site_id, rank) deferrable initially immediate,
  constraint plan_items_article_key unique (article_id),
  constraint plan_items_category_fkey foreign key (site_id, category_id) references categories (site_id, id),
  constraint plan_items_author_fkey foreign key (site_id, author_id) references authors (site_id, id),
  constraint plan_items_format_fkey foreign key (format_id) references content_types (id),
  constraint plan_items_status_check check (status in ('idea', 'approved', 'rejected', 'started', 'done')),
  constraint plan_items_earlier_status_check check (earlier_status in ('idea', 'approved')),
  constraint plan_items_started_check check (status <> 'started' or (run_id is not null and earlier_status is not null)),
  constraint plan_items_rank_check check (octet_length(rank) <= 120)
);

create index plan_items_target_date_idx on plan_items (site_id, (coalesce(target_date, 'infinity'::date)), rank);
create index plan_items_run_id_idx on plan_items (run_id) where run_id is not null;
create index plan_items_category_idx on plan_items (site_id, category_id) where category_id is not null;
create index plan_items_author_idx on plan_items (site_id, author_id) where author_id is not null;
