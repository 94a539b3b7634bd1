-- Up Migration, without a transaction

-- One for each filter and each of the streams that the log of a Site is merged from, in the order of its pages.
drop index concurrently if exists audit_log_site_action_idx;
create index concurrently audit_log_site_action_idx on audit_log (site_id, action, at, id) where site_id is not null;
drop index concurrently if exists audit_log_site_actor_idx;
create index concurrently audit_log_site_actor_idx on audit_log (site_id, actor_id, at, id)
  where site_id is not null and actor_id is not null;
drop index concurrently if exists audit_log_site_target_idx;
create index concurrently audit_log_site_target_idx on audit_log (site_id, target_id, at, id)
  where site_id is not null and target_id is not null;

drop index concurrently if exists audit_log_organisation_action_idx;
create index concurrently audit_log_organisation_action_idx on audit_log (organisation_id, action, at, id) where site_id is null;
drop index concurrently if exists audit_log_organisation_actor_idx;
create index concurrently audit_log_organisation_actor_idx on audit_log (organisation_id, actor_id, at, id)
  where site_id is null and actor_id is not null;
drop index concurrently if exists audit_log_organisation_target_idx;
create index concurrently audit_log_organisation_target_idx on audit_log (organisation_id, target_id, at, id)
  where site_id is null and target_id is not null;

-- What concerns the whole platform: a handful of rows, which every Site sees.
drop index concurrently if exists audit_log_platform_idx;
create index concurrently audit_log_platform_idx on audit_log (at, id) where organisation_id is null and site_id is null;

-- Housekeeping deletes rows about content by their age.
drop index concurrently if exists audit_log_content_idx;
create index concurrently audit_log_content_idx on audit_log (at) where content;
