-- Up Migration

-- The version of the upload that is copied to its public key, and until when no other may be.
alter table upload_reservations add column copied_etag text, add column copying_until timestamptz(3);
