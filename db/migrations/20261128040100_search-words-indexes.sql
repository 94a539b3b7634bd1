-- Up Migration, without a transaction

drop index concurrently if exists article_search_unrefined_idx;
create index concurrently article_search_unrefined_idx on article_search (changed_at) where not refined;

drop index concurrently if exists article_search_many_idx;
create index concurrently article_search_many_idx on article_search (site_id) where many;
