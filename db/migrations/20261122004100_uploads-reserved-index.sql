-- Up Migration, without a transaction

drop index concurrently if exists upload_reservations_reserved_idx;
create index concurrently upload_reservations_reserved_idx on upload_reservations (site_id) where status = 'reserved';
