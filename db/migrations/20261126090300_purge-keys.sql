-- Up Migration

-- The keys under which a cache has what is stale.
alter table cache_purges add column keys text[] not null default '{}';
-- Pages that are too many to be named at once: which, and how far the workflow has come.
alter table cache_purges add column pages jsonb;
