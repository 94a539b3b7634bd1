-- Up Migration, without a transaction

-- Housekeeping takes the texts out of old steps, and looks for graces whose process was lost.
drop index concurrently if exists pipeline_steps_texts_idx;
create index concurrently pipeline_steps_texts_idx on pipeline_steps (created_at) where num_nonnulls(prompt, answer) > 0;

drop index concurrently if exists api_key_secrets_grace_idx;
create index concurrently api_key_secrets_grace_idx on api_key_secrets (valid_until) where retired_at is null;

-- A counter's window moves once a minute at most; counting within it changes no index.
drop index concurrently if exists rate_limit_counters_window_start_idx;
create index concurrently rate_limit_counters_window_start_idx on rate_limit_counters (window_start);
