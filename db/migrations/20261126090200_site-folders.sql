-- Up Migration, without a transaction

drop index concurrently if exists sites_public_folder_key;
create unique index concurrently sites_public_folder_key on sites (left(encode(sha256(('media/' || id::text)::bytea), 'hex'), 32));
