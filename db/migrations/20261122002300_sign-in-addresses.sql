-- Up Migration, without a transaction

-- Who signs in is found by the address as it is counted: only Latin letters lose their case. members_email_idx is
-- for the version before this one.
drop index concurrently if exists members_folded_email_idx;
create index concurrently members_folded_email_idx on members (lower(email collate "C"))
  where removed_at is null and password_hash is not null;
