-- Up Migration

-- How many percent of the claims of an article may be without a source; null for any.
alter table sites add column max_unsupported_claims integer;
