-- Up Migration

-- What each Site keeps, as far as it has been folded; what came after is in usage_changes.
create table site_usage (
  site_id uuid primary key references sites (id),
  documents bigint not null default 0,
  media_bytes bigint not null default 0,
  -- When it was last held against the rows themselves.
  checked_at timestamptz(3)
);

-- Writes only insert here, so that none of them waits for another over a count.
create table usage_changes (
  id bigint generated always as identity primary key,
  site_id uuid not null,
  documents bigint not null default 0,
  media_bytes bigint not null default 0
);

create index usage_changes_site_id_idx on usage_changes (site_id);

create function note_article_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_changes (site_id, documents) values (new.site_id, 1);
  else
    insert into usage_changes (site_id, documents) values (old.site_id, -1);
  end if;
  return null;
end $$;

create function note_media_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_changes (site_id, media_bytes) values (new.site_id, new.size_bytes);
  else
    insert into usage_changes (site_id, media_bytes) values (old.site_id, -old.size_bytes);
  end if;
  return null;
end $$;

-- Making a trigger holds writes back until the commit, so that what is counted below is counted once.
create trigger articles_usage after insert or delete on articles
  for each row execute function note_article_usage();
create trigger media_assets_usage after insert or delete on media_assets
  for each row execute function note_media_usage();

insert into site_usage (site_id, documents, media_bytes)
select s.id,
  (select count(*) from articles a where a.site_id = s.id),
  (select coalesce(sum(m.size_bytes), 0) from media_assets m where m.site_id = s.id)
from sites s;
