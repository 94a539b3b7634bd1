-- Up Migration

-- Whether the version of the product that wrote the article has stored its origin, or housekeeping has since.
alter table pipeline_articles add column origin_known boolean not null default false;
