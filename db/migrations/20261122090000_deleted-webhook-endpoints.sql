-- Up Migration

-- Endpoints that are deleted, and whose log and queue housekeeping still has to remove.
create table deleted_webhook_endpoints (
  id uuid primary key,
  deleted_at timestamptz(3) not null
);

-- A cascade would remove all of it in the transaction of the request. Every write of these tables locks the endpoint
-- first, so that none comes after its deletion.
alter table webhook_deliveries drop constraint webhook_deliveries_endpoint_id_fkey;
alter table webhook_queue drop constraint webhook_queue_endpoint_id_fkey;
