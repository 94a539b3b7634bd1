-- Up Migration

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
