-- Up Migration, without a transaction

alter table pipeline_steps validate constraint pipeline_steps_status_check;
drop index concurrently if exists pipeline_steps_attempt_key;
create unique index concurrently pipeline_steps_attempt_key on pipeline_steps (run_id, article_id, stage, attempt);
-- What each stage last came to, for an article.
drop index concurrently if exists pipeline_steps_article_idx;
create index concurrently pipeline_steps_article_idx on pipeline_steps (article_id, stage, created_at);
