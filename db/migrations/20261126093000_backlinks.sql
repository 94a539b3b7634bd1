-- Up Migration

-- Links from other sites to a Site, as the tools that watch the web report them.
create table backlinks (
  id uuid primary key,
  site_id uuid not null references sites (id),
  -- A digest of both addresses: they are too long for an index.
  link_key uuid not null,
  source_url text not null,
  target_url text not null,
  -- The host of the source from its end, as in `org.example.blog.`, so that a domain and its subdomains are a range.
  reversed_host text collate "C" not null,
  -- Null if no file has told.
  anchor text,
  rel text[],
  -- The article at the target when the link was last imported. It may have been deleted since.
  article_id uuid,
  status text not null constraint backlinks_status_check check (status in ('unknown', 'live', 'lost')),
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  checked_at timestamptz(3),
  constraint backlinks_link_key unique (site_id, link_key)
)
-- A file that is imported again changes every row of it: the new row finds room on its page, and no index changes.
with (fillfactor = 70);

create index backlinks_site_id_idx on backlinks (site_id, id);
create index backlinks_reversed_host_idx on backlinks (site_id, reversed_host);
create index backlinks_article_id_idx on backlinks (article_id, id);
