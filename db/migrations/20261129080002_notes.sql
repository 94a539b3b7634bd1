-- Up Migration

-- What the team remarks on an article, in threads of one level.
create table notes (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id) on delete cascade,
  parent_id uuid references notes (id) on delete cascade,
  body text not null,
  quote text,
  -- Where the quote is in the content, in code points; null while it is not. `near` is where it is looked for then, and
  -- `content_number` the revision whose content these two are about.
  start integer,
  near integer,
  content_number integer not null,
  -- Memberships.
  author_id uuid not null,
  mention_ids uuid[] not null,
  resolved_by uuid,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint notes_quote_check check ((quote is null) = (near is null) and (start is null or near is not null))
);

create index notes_article_idx on notes (article_id, id);
create index notes_parent_idx on notes (parent_id) where parent_id is not null;
create index notes_site_idx on notes (site_id);
