-- Up Migration

-- Whether a push followed a change by itself: those that somebody asked for have a limit of their own.
alter table cms_pushes add column automatic boolean not null default false;
