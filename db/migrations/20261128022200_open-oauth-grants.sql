-- Up Migration, without a transaction

drop index concurrently if exists oauth_grants_open_idx;
create index concurrently oauth_grants_open_idx on oauth_grants (client_network) where key_id is null;
