-- Up Migration

-- Addresses that show an article to those who know them. Of the token only the hash.
create table preview_links (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint preview_links_token_hash_key unique (token_hash)
);

create index preview_links_article_id_idx on preview_links (article_id, id);
create index preview_links_site_id_idx on preview_links (site_id, expires_at);
create index preview_links_expires_at_idx on preview_links (expires_at);
