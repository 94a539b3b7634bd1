-- Up Migration

-- What a Site has its pipeline told, a row a stage that it ever changed.
create table prompts (
  site_id uuid not null references sites (id),
  stage text not null,
  -- Numbers go on when an override is deleted.
  last_version integer not null,
  -- The version in effect; null where the platform's own template is.
  active_version integer,
  constraint prompts_pkey primary key (site_id, stage),
  constraint prompts_stage_check check (stage in ('plan', 'generate', 'improve', 'classify', 'extract')),
  constraint prompts_versions_check check (last_version >= 1 and active_version between 1 and last_version)
);

-- Every template that was saved. Rows are never changed: a run notes the version it used.
create table prompt_versions (
  site_id uuid not null,
  stage text not null,
  version integer not null,
  template text not null,
  created_at timestamptz(3) not null,
  constraint prompt_versions_pkey primary key (site_id, stage, version),
  constraint prompt_versions_prompt_fkey foreign key (site_id, stage) references prompts (site_id, stage)
);

alter table prompts add constraint prompts_active_version_fkey
  foreign key (site_id, stage, active_version) references prompt_versions (site_id, stage, version);

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
  -- The key that began it; null for what the service does by itself. What becomes of the key ends it. No foreign key: deleted
  -- keys of the dashboard leave what they began behind.
  key_id uuid,
  constraint pipeline_runs_status_check check (
    status in ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')
  ),
  constraint pipeline_runs_reason_check check (
    reason in ('insufficient_credits', 'spend_cap_reached', 'cancelled', 'provider_unavailable')
  ),
  constraint pipeline_runs_finished_check check ((finished_at is null) = (status in ('queued', 'running')))
);

create index pipeline_runs_site_id_idx on pipeline_runs (site_id, id);
-- Housekeeping looks for runs that have lost their workflow, begun or not.
create index pipeline_runs_going_idx on pipeline_runs (created_at) where status in ('queued', 'running');

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
  -- Attempts at the open stage that have not ended in order: those whose worker was lost, and the one in flight.
  attempts_open integer not null default 0,
  -- How often the writer has failed at the open stage.
  writer_failures integer not null default 0,
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

-- Housekeeping takes the texts out of old steps.
create index pipeline_steps_texts_idx on pipeline_steps (created_at) where num_nonnulls(prompt, answer) > 0;

-- The content plan: what a Site wants to write, in the order that people gave it.
create table plan_items (
  id uuid primary key,
  site_id uuid not null references sites (id),
  title text not null,
  notes text,
  keywords jsonb not null default '[]',
  source_url text,
  format_id uuid,
  category_id uuid,
  author_id uuid,
  target_date date,
  status text not null,
  -- What it was before a run took it.
  earlier_status text,
  -- A fraction as text (domain/content-plan/rank.ts): an item moves without a change of the others.
  rank text collate "C" not null,
  -- The article that a run made of it. An item that was given back keeps it out of sight: the next run continues with it.
  article_id uuid references articles (id) on delete set null,
  run_id uuid references pipeline_runs (id),
  words text generated always as (
    search_words(title || ' ' || coalesce(notes, '') || ' ' || keywords::text)
  ) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Checked at the end of a statement, because one may write many ranks anew.
  constraint plan_items_site_rank_key unique (site_id, rank) deferrable initially immediate,
  constraint plan_items_article_key unique (article_id),
  constraint plan_items_category_fkey foreign key (site_id, category_id) references categories (site_id, id),
  constraint plan_items_author_fkey foreign key (site_id, author_id) references authors (site_id, id),
  constraint plan_items_format_fkey foreign key (format_id) references content_types (id),
  constraint plan_items_status_check check (status in ('idea', 'approved', 'rejected', 'started', 'done')),
  constraint plan_items_earlier_status_check check (earlier_status in ('idea', 'approved')),
  constraint plan_items_started_check check (status <> 'started' or (run_id is not null and earlier_status is not null)),
  constraint plan_items_rank_check check (octet_length(rank) <= 120)
);

create index plan_items_target_date_idx on plan_items (site_id, (coalesce(target_date, 'infinity'::date)), rank);
create index plan_items_run_id_idx on plan_items (run_id) where run_id is not null;
create index plan_items_category_idx on plan_items (site_id, category_id) where category_id is not null;
create index plan_items_author_idx on plan_items (site_id, author_id) where author_id is not null;

-- When a Site has runs started from its content plan by themselves. A Schedule in Temporal follows the row.
create table autopilots (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  weekdays text[] not null,
  -- In the timezone of the Site.
  time text not null,
  items integer not null,
  -- Counts what the Schedule has to follow, the timezone included, and how far it has followed.
  revision integer not null default 1,
  changed_at timestamptz(3) not null,
  followed_revision integer not null default 0,
  followed_at timestamptz(3),
  -- The last firing: its workflow, and what became of it.
  last_firing text,
  last_at timestamptz(3),
  last_run_id uuid references pipeline_runs (id),
  last_error_code text,
  last_error_message text,
  constraint autopilots_weekdays_check check (
    cardinality(weekdays) > 0 and weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  ),
  constraint autopilots_items_check check (items between 1 and 10),
  constraint autopilots_last_check check (
    num_nulls(last_firing, last_at) in (0, 2) and num_nulls(last_error_code, last_error_message) in (0, 2)
    and (last_at is null or num_nonnulls(last_run_id, last_error_code) = 1)
  )
);

create index autopilots_not_followed_idx on autopilots (changed_at) where followed_revision <> revision;
create index autopilots_followed_at_idx on autopilots (followed_at) where enabled;

create trigger pipeline_runs_kept before delete on pipeline_runs for each row execute function keep_row_of_site();
create trigger pipeline_steps_kept before delete on pipeline_steps for each row execute function keep_row_of_site();
create trigger prompts_kept before delete on prompts for each row execute function keep_row_of_site();
create trigger prompt_versions_kept before delete on prompt_versions for each row execute function keep_row_of_site();
