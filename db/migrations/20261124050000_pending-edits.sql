-- Up Migration

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

-- An article that is not published has none. A trigger also finds one that was committed while the update waited.
create function discard_pending_edit() returns trigger language plpgsql as $$
begin
  delete from pending_edits where article_id = new.id;
  return null;
end $$;

create trigger articles_discard_pending_edit after update of status on articles
  for each row when (old.status = 'published' and new.status <> 'published')
  execute function discard_pending_edit();
