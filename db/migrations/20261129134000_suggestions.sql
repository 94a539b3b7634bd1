-- Up Migration

-- What the stage improve proposes for the article: titles, ids of tags and of a category, and texts for lists.
alter table pipeline_articles add column suggestions jsonb;
