-- Up Migration

-- The refresh token before, by its hash, and what was answered to it. A key made from that token seals the answer, so
-- that whoever has the database alone can read none of it.
alter table oauth_grants add column replaced_hash bytea, add column replaced_at timestamptz(3),
  add column sealed_answer bytea;
