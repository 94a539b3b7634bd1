-- Up Migration

-- The paths of a blog's pages, each with {slug} once, below https://<domain>.
alter table sites add column url_paths jsonb not null
  default '{"article": "/{slug}", "category": "/category/{slug}", "tag": "/tag/{slug}", "author": "/author/{slug}"}';
-- What feeds show of an article: full or excerpt.
alter table sites add column feed_content text not null default 'excerpt';
-- The entity tag of the settings.
alter table sites add column version integer not null default 1;
