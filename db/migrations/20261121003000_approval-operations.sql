-- Up Migration

-- Which operations an agent's key calls with a person's approval; null for those that the product names
-- (docs/spec/rulings.md, 11).
alter table organisations add column approval_operations text[];
-- Of name, agent access and approval-gated operations, for ETag and If-Match.
alter table organisations add column version integer not null default 1;
