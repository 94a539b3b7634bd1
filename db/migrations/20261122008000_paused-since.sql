-- Up Migration

-- Since when an endpoint has been paused; null where it is not, or was paused before this column was there.
alter table webhook_endpoints add column paused_at timestamptz(3);
