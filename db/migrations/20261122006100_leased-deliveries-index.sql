-- Up Migration, without a transaction

-- Attempts in flight are few, however much waits for an endpoint.
drop index concurrently if exists webhook_queue_leased_idx;
create index concurrently webhook_queue_leased_idx on webhook_queue (endpoint_id, leased_until) where leased_until is not null;
