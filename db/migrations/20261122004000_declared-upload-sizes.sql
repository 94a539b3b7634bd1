-- Up Migration

-- What an upload may have at most, where the client said so; what a Site has reserved at once is limited by it.
alter table upload_reservations add column size_bytes bigint;
