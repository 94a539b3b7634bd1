-- Up Migration

-- The member who made the link; null for the operator. What becomes of the maker ends the link.
alter table one_time_links add column made_by uuid;
