-- Up Migration

-- Housekeeping looks for runs that have lost their process, begun or not.
create index pipeline_runs_going_idx on pipeline_runs (created_at) where status in ('queued', 'running');
drop index pipeline_runs_queued_idx;
