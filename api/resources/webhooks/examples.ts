import { articleExample } from '../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
const endpointId = '0197a0c4-9999-7d30-9b64-2f1f0d3c8a11';
export const eventId = '0197a0c4-aaaa-7d30-9b64-2f1f0d3c8a11';

export const webhookWriteExample = {
  url: 'https://example.com/hooks/presswork',
  events: ['article.published', 'article.unpublished'],
  description: 'Rebuilds the site',
};
export const webhookUpdateExample = { enabled: true };

export const webhookExample = {
  id: endpointId,
  ...webhookWriteExample,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  consecutive_failures: 0,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const webhookWithSecretExample = { ...webhookExample, secret: 'whsec_…', secret_replayable: true };

export const deliveryExample = {
  id: '0197a0c4-bbbb-7d30-9b64-2f1f0d3c8a11',
  event_id: eventId,
  event: 'article.published',
  attempt: 1,
  status: 'failed',
  response_status: 503,
  error: null,
  duration_ms: 184,
  attempted_at: '2026-03-01T09:30:01.000Z',
  next_attempt_at: '2026-03-01T09:30:12.000Z',
  redelivery: false,
};

export const redeliveredExample = { event_id: eventId, endpoint_id: endpointId };
export const replayExample = { since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z' };

export const eventExample = {
  id: eventId,
  event: 'article.published',
  created_at: '2026-03-01T09:30:00.000Z',
  data: { ...articleExample, status: 'published', published_at: '2026-03-01T09:30:00.000Z' },
};
