-- Up Migration, without a transaction

drop index concurrently if exists categories_folded_name_idx;
create index concurrently categories_folded_name_idx on categories (site_id, (search_folded(name) collate "C"));

drop index concurrently if exists tags_folded_name_idx;
create index concurrently tags_folded_name_idx on tags (site_id, (search_folded(name) collate "C"));

drop index concurrently if exists authors_folded_name_idx;
create index concurrently authors_folded_name_idx on authors (site_id, (search_folded(name) collate "C"));

drop index concurrently if exists media_assets_keys_idx;
create index concurrently media_assets_keys_idx on media_assets
  using gin (search_keys(site_id, search_words(file_name || ' ' || coalesce(alt_text, '')))) with (fastupdate = off);
