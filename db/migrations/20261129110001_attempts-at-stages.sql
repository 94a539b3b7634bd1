-- Up Migration

-- A row an attempt at a stage, failed ones included. Rows of earlier versions are the one attempt that succeeded; they do
-- not say when it began, nor what it cost.
alter table pipeline_steps
  add column attempt integer not null default 1,
  add column status text not null default 'succeeded',
  add column model text,
  add column started_at timestamptz(3),
  add column credits integer,
  add column error_code text,
  add column error_message text,
  add constraint pipeline_steps_status_check check (
    status in ('succeeded', 'failed') and (status = 'failed') = (error_code is not null)
    and num_nulls(error_code, error_message) in (0, 2)
  ) not valid;
