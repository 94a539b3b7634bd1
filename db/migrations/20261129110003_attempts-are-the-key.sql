-- Up Migration

-- The previous version adds the row of a stage that is done. A failed attempt before it is in its way: that attempt is
-- repeated until a worker of this version takes it.
alter table pipeline_steps
  drop constraint pipeline_steps_pkey,
  add constraint pipeline_steps_pkey primary key using index pipeline_steps_attempt_key;
