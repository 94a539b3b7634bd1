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
