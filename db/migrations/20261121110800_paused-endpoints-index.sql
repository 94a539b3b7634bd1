-- Up Migration, without a transaction

-- Paused endpoints are few, and looked for each second.
drop index concurrently if exists webhook_endpoints_paused_idx;
create index concurrently webhook_endpoints_paused_idx on webhook_endpoints (id) where paused;
