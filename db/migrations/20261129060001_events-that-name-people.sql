-- Up Migration, without a transaction

-- Erasing a member finds their names in the bodies.
drop index concurrently if exists events_of_people_idx;
create index concurrently events_of_people_idx on events (site_id) where event ~ '^(approval|key|review)\.';
