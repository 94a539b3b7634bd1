-- Up Migration, without a transaction

drop index concurrently if exists sessions_id_key;
create unique index concurrently sessions_id_key on sessions (id);
drop index concurrently if exists api_keys_dashboard_idx;
create index concurrently api_keys_dashboard_idx on api_keys (member_id, expires_at) where session_id is not null and revoked_at is null;
