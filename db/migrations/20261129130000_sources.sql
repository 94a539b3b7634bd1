-- Up Migration

-- What an article rests on, in the order of its citations, and the texts of these pages as they were read.
alter table articles add column sources jsonb;
alter table pipeline_articles add column extracts jsonb not null default '[]';
