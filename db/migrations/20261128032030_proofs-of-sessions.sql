-- Up Migration

-- When its person last proved again who they are; null if only at the sign-in.
alter table sessions add column proved_at timestamptz(3);
