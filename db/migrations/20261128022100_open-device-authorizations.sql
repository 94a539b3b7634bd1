-- Up Migration, without a transaction

drop index concurrently if exists device_authorizations_open_idx;
create index concurrently device_authorizations_open_idx on device_authorizations (client_network) where decision is null;
