-- Up Migration

-- Bulk jobs: one action for many articles, carried out by the worker.
create table bulk_jobs (
  id uuid primary key,
  site_id uuid not null references sites (id),
  action text not null,
  -- The members of the request that go with the action.
  parameters jsonb not null,
  status text not null constraint bulk_jobs_status_check check (status in ('queued', 'running', 'completed', 'cancelled')),
  -- Whose changes they are, for the audit log.
  key_id uuid not null references api_keys (id),
  request_id text not null,
  created_at timestamptz(3) not null,
  -- When its workflow was seen last.
  active_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint bulk_jobs_finished_at_check check ((finished_at is not null) = (status in ('completed', 'cancelled')))
);

create index bulk_jobs_site_id_idx on bulk_jobs (site_id);
create index bulk_jobs_unfinished_idx on bulk_jobs (site_id, created_at, id) where finished_at is null;
create index bulk_jobs_active_at_idx on bulk_jobs (active_at) where finished_at is null;
create index bulk_jobs_finished_at_idx on bulk_jobs (finished_at) where finished_at is not null;

create table bulk_items (
  job_id uuid not null references bulk_jobs (id) on delete cascade,
  position integer not null,
  -- The article may be deleted.
  article_id uuid not null,
  -- The only version that the action is allowed for: of an article that a person let an agent delete.
  version integer,
  status text not null constraint bulk_items_status_check check (status in ('waiting', 'done', 'failed')),
  error_code text,
  error_message text,
  primary key (job_id, position),
  constraint bulk_items_error_check check ((status = 'failed') = (error_code is not null and error_message is not null))
);
