import { randomUUID } from 'node:crypto';
import { buildArticle } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { createWire, registerNamespace, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

let stack: WebhookStack;
let temporal: TestTemporal;

beforeAll(async () => {
  [stack, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await temporal.close();
  await stack.close();
});

const startWorker = (temporalAddress: string, namespace: string): WorkerProcess =>
  spawnWorker({
    databaseUrl: stack.api.url,
    temporalAddress,
    namespace,
    env: {
      ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
    },
  });

/** A webhook arrives although the worker has not joined Temporal; once it has, an overdue article is published. */
async function sendsThenPublishes(worker: () => WorkerProcess, mend: () => Promise<unknown>): Promise<void> {
  const receiver = await stack.receiver();
  await stack.endpoint(receiver.url);
  const begun = worker();
  const [event] = await stack.emit();
  await eventually('the webhook has arrived', () => receiver.seen.length > 0);
  expect(JSON.parse(receiver.seen[0]!.body).id).toBe(event);
  const key = stack.tenant.secretKey;
  const { id } = await buildArticle(stack.api, key, { title: 'Later', content: 'Text.' });
  await stack.api.db.pool.query(
    `update articles set status = 'scheduled', scheduled_publish_at = now() - interval '1 minute' where id = $1`,
    [id],
  );
  expect(begun.said()).not.toContain('"working"');
  await mend();
  await begun.working;
  const read = async () => (await stack.request('GET', `/articles/${id}`)).data.status;
  await eventually('the overdue article is published', async () => (await read()) === 'published', 200);
  expect(await begun.stop()).toBe(0);
}

test('a worker that starts before Temporal sends webhooks at once, and joins Temporal when it is reachable', async () => {
  const wire = await createWire(temporal.address);
  await wire.cut();
  await sendsThenPublishes(
    () => startWorker(wire.address, temporal.namespace),
    () => wire.open(),
  );
  await wire.cut();
});

test('a missing namespace does not stop the worker: it keeps sending, and joins Temporal once the namespace exists', async () => {
  const namespace = `late-${randomUUID()}`;
  await sendsThenPublishes(
    () => startWorker(temporal.address, namespace),
    () => registerNamespace(temporal.connection, namespace),
  );
});

test('a worker that is stopped before Temporal is reachable shuts down gracefully', async () => {
  const wire = await createWire(temporal.address);
  await wire.cut();
  const worker = startWorker(wire.address, temporal.namespace);
  await eventually('it sends webhooks', () => worker.said().includes('sending webhooks'));
  worker.working.catch(() => {});
  expect(await worker.stop()).toBe(0);
});
