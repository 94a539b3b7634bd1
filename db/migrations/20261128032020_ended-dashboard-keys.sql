-- Up Migration, without a transaction

drop index concurrently if exists api_keys_dashboard_expiry_idx;
create index concurrently api_keys_dashboard_expiry_idx on api_keys (expires_at) where session_id is not null;
