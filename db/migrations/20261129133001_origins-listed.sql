-- Up Migration, without a transaction

alter table articles validate constraint articles_origin_check;

drop index concurrently if exists articles_origin_idx;
create index concurrently articles_origin_idx on articles (site_id, updated_at, id) where origin <> 'person';
