-- Up Migration, without a transaction

-- A failed sign-in is recorded for everyone with the address, also for those without a password.
drop index concurrently if exists members_address_idx;
create index concurrently members_address_idx on members (lower(email collate "C")) where removed_at is null;
