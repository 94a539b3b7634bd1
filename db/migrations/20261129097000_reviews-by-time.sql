-- Up Migration, without a transaction

-- Lists are in the order of the time: the primary key has the order of the ids of all Sites, and would be read instead.
drop index concurrently if exists reviews_site_time_idx;
create index concurrently reviews_site_time_idx on reviews (site_id, created_at, id);
drop index concurrently if exists reviews_state_time_idx;
create index concurrently reviews_state_time_idx on reviews (site_id, state, created_at, id);
drop index concurrently if exists reviews_site_idx;
drop index concurrently if exists reviews_state_idx;
