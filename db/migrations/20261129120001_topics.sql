-- Up Migration

-- What people say about a topic, and the pages that they name besides the first.
alter table plan_items add column source_urls jsonb not null default '[]';
alter table pipeline_articles add column notes text;
alter table pipeline_articles add column source_urls jsonb not null default '[]';
