-- Up Migration

-- Attempts at the open stage that have not ended in order: those whose worker was lost, and the one in flight.
alter table pipeline_run_articles add column attempts_open integer not null default 0;
-- How often the writer has failed at the open stage.
alter table pipeline_run_articles add column writer_failures integer not null default 0;

-- Calls of the writer that a model answered, or worked on, without a usable answer.
alter table site_months add column failed_calls bigint not null default 0;
