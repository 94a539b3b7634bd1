import type { ServerResponse } from 'node:http';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

const EVENTS = 40;
/** At most one claim that takes something begins in so many milliseconds. */
const GATHERING_MS = 25;

let stack: WebhookStack;

beforeAll(async () => {
  stack = await startWebhooks();
});
afterAll(() => stack.close());

/** The deliveries that were claimed and not answered yet, and how many claims took them: each is a transaction. */
async function claimed(): Promise<{ deliveries: number; claims: number }> {
  const { rows } = await stack.api.db.pool.query(
    `select count(*)::int as deliveries, count(distinct xmin::text)::int as claims
     from webhook_queue where leased_at is not null`,
  );
  return rows[0];
}

test('events that follow each other closely are claimed together, and each is delivered once', async () => {
  const waiting: ServerResponse[] = [];
  const receiver = await stack.receiver((_, response) => waiting.push(response));
  const { id } = await stack.endpoint(receiver.url);
  const begun = performance.now();
  for (let count = 1; count <= EVENTS; count += 1) {
    await stack.emit();
    stack.session.wake(id);
  }
  await eventually('every delivery is in flight', () => waiting.length === EVENTS);
  const elapsed = performance.now() - begun;
  const { deliveries, claims } = await claimed();
  expect(deliveries).toBe(EVENTS);
  // The first claim of a run comes at once. A second run begins only if nothing was answered for long.
  expect(claims).toBeLessThanOrEqual(elapsed / GATHERING_MS + 2);
  for (const response of waiting) response.writeHead(200).end();
  await stack.deliver(id);
  const delivered = receiver.seen.map(({ headers }) => headers['webhook-id']);
  expect([delivered.length, new Set(delivered).size]).toEqual([EVENTS, EVENTS]);
});
