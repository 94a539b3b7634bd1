-- Up Migration

-- Who took a text out of the pipeline, when and why, and what the article was before: a requeue restores that.
alter table pipeline_articles
  add column rejected_at timestamptz(3),
  -- A membership.
  add column rejected_by uuid,
  add column rejected_reason text,
  add column rejected_from text;
