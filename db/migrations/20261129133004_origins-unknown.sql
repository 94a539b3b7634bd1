-- Up Migration, without a transaction

drop index concurrently if exists pipeline_articles_origin_unknown_idx;
create index concurrently pipeline_articles_origin_unknown_idx on pipeline_articles (article_id)
  where stage in ('generate', 'improve') and not origin_known;
