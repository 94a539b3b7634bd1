-- Up Migration

-- The article that says already what the topic would. No foreign key: it is shown as long as that article exists.
alter table pipeline_articles add column duplicate_of uuid;
