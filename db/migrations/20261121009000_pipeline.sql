-- Up Migration

create table pipeline_runs (
  id uuid primary key,
  site_id uuid not null references sites (id),
  status text not null,
  reason text,
  -- Who writes: the offline writer, or a language model.
  writer text not null,
  stages_total integer not null,
  credits_spent bigint not null default 0,
  -- A running run ends at its next stage boundary once this is set.
  cancel_requested_at timestamptz(3),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint pipeline_runs_status_check check (
    status in ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')
  ),
  constraint pipeline_runs_reason_check check (
    reason in ('insufficient_credits', 'spend_cap_reached', 'cancelled', 'provider_unavailable')
  ),
  constraint pipeline_runs_finished_check check ((finished_at is null) = (status in ('queued', 'running')))
);

create index pipeline_runs_site_id_idx on pipeline_runs (site_id, id);
create index pipeline_runs_queued_idx on pipeline_runs (created_at) where status = 'queued';

-- What the pipeline has found out about an article, beside what stands in the article itself.
create table pipeline_articles (
  article_id uuid primary key references articles (id) on delete cascade,
  site_id uuid not null,
  keywords jsonb not null,
  source_url text,
  source_text text,
  score integer,
  outline jsonb,
  -- The last stage that was done.
  stage text
);

-- The articles a run takes, in its order. An article that has been deleted stays in the run.
create table pipeline_run_articles (
  run_id uuid not null references pipeline_runs (id),
  article_id uuid not null,
  position integer not null,
  stages_done integer not null default 0,
  -- The last stage done, by this run or an earlier one.
  stage text,
  error text,
  -- The stage that has been charged and is not done yet.
  open_stage text,
  -- While the run has something left to do on it, no other run takes it.
  held boolean not null default true,
  failed boolean not null default false,
  constraint pipeline_run_articles_pkey primary key (run_id, article_id)
);

create unique index pipeline_run_articles_held_key on pipeline_run_articles (article_id) where held;

-- What was asked of the writer and what came back, for each stage that was done; no workflow's history has it.
create table pipeline_steps (
  run_id uuid not null,
  article_id uuid not null,
  site_id uuid not null,
  stage text not null,
  -- Null where the platform's own template was in effect.
  prompt_version integer,
  prompt text,
  answer text,
  input_tokens integer,
  output_tokens integer,
  created_at timestamptz(3) not null,
  constraint pipeline_steps_pkey primary key (run_id, article_id, stage)
);

-- A failed stage gives its charge back; rows are still only added.
alter table credit_ledger
  drop constraint credit_ledger_charge_key,
  drop constraint credit_ledger_kind_check,
  add constraint credit_ledger_unit_key unique (run_id, article_id, stage, kind),
  add constraint credit_ledger_kind_check check (
    (kind = 'grant' and amount > 0 and site_id is null)
    or (kind = 'charge' and amount < 0 and num_nulls(site_id, run_id, article_id, stage) = 0)
    or (kind = 'refund' and amount > 0 and num_nulls(site_id, run_id, article_id, stage) = 0)
  );
