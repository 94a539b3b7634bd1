import { createWebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

let stack: WebhookStack;

beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(() => stack.close());

test('what support does by signals is in the audit log as the operator’s, once for each effect', async () => {
  const { id } = await stack.endpoint((await stack.receiver()).url);
  const [event = ''] = await stack.emit();
  await stack.deliver(id);
  const activities = createWebhookEndpointActivities(stack.session);
  for (const paused of [true, true, false, false]) await activities.pauseEndpoint(id, paused);
  await activities.redeliverToEndpoint(id, event);
  // It has been delivered, so there is nothing to replay.
  await activities.replayToEndpoint(id, { since: '2020-01-01T00:00:00Z' });
  await stack.api.db.pool.query('delete from webhook_queue where endpoint_id = $1', [id]);
  await stack.api.db.pool.query('delete from webhook_deliveries where endpoint_id = $1', [id]);
  await activities.replayToEndpoint(id, { since: '2020-01-01T00:00:00Z' });
  await activities.redeliverToEndpoint('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11', event);
  const { rows } = await stack.api.db.pool.query(
    `select action, actor_kind, actor_name, request_id, site_id is not null as of_site, details from audit_log
     where target_id = $1 and actor_kind = 'system' order by id`,
    [id],
  );
  const by = { actor_kind: 'system', actor_name: 'operator', request_id: null, of_site: true };
  const replayed = { since: '2020-01-01T00:00:00.000Z', until: null, queued: 1, events: expect.any(Array) };
  expect(rows).toEqual([
    { action: 'webhook.pause', ...by, details: {} },
    { action: 'webhook.resume', ...by, details: {} },
    { action: 'webhook.redeliver', ...by, details: { event_id: event } },
    { action: 'webhook.replay', ...by, details: replayed },
  ]);
});
