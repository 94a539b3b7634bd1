-- Up Migration

drop index audit_log_site_id_idx;
drop index audit_log_organisation_id_idx;

-- One for each of the two streams that the log of a Site is merged from, in its order.
create index audit_log_site_idx on audit_log (site_id, at, id);
create index audit_log_organisation_idx on audit_log (organisation_id, at, id) where site_id is null;
