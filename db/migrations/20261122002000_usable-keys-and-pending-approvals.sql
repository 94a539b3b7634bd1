-- Up Migration, without a transaction

-- A Site has a limited number of keys that work, and of approvals that wait: both are counted with each new one.
drop index concurrently if exists api_keys_usable_idx;
create index concurrently api_keys_usable_idx on api_keys (site_id, expires_at) where revoked_at is null;
drop index concurrently if exists approvals_pending_idx;
create index concurrently approvals_pending_idx on approvals (site_id, expires_at) where status = 'pending';
