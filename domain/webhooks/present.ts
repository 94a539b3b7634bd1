import type { Delivery } from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';

/** A row of the log as the API shows it (docs/spec/rulings.md, 7, Delivery row). */
export const presentDelivery = (row: Delivery) => ({
  id: row.id,
  event_id: row.event_id,
  event: row.event,
  attempt: row.attempt,
  status: row.status,
  response_status: row.response_status,
  error: row.error,
  duration_ms: row.duration_ms,
  attempted_at: row.attempted_at.toISOString(),
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  redelivery: row.redelivery,
});

/** An endpoint as the API shows it. Only the answers that hand out the secret include it. */
export const presentEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: endpoint.disabled_at?.toISOString() ?? null,
  consecutive_failures: endpoint.consecutive_failures,
  created_at: endpoint.created_at.toISOString(),
  updated_at: endpoint.updated_at.toISOString(),
});
