import { register } from '@prometheus-io/client';
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

async function claims(): Promise<number> {
  const metric = await register.getSingleMetric('presswork_webhook_claims_total')?.get();
  return metric?.values[0]?.value ?? 0;
}

test('events that follow each other closely are claimed together, and each is delivered once', async () => {
  const receiver = await stack.receiver((_, response) =>
    setTimeout(() => response.writeHead(200).end(), 100),
  );
  const { id } = await stack.endpoint(receiver.url);
  await stack.emit();
  const before = await claims();
  const begun = performance.now();
  stack.session.wake(id);
  for (let count = 2; count <= EVENTS; count += 1) {
    await stack.emit();
    stack.session.wake(id);
  }
  await stack.deliver(id);
  const elapsed = performance.now() - begun;
  const delivered = receiver.seen.map(({ headers }) => headers['webhook-id']);
  expect([delivered.length, new Set(delivered).size]).toEqual([EVENTS, EVENTS]);
  // The first claim of each run comes at once; claims that found nothing, and the last call, are the rest.
  expect((await claims()) - before).toBeLessThanOrEqual(elapsed / GATHERING_MS + 4);
});
