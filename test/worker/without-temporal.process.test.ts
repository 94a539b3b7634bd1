import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
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

/** Schedules an article for a time that is soon, and has not passed on a slow machine. */
async function scheduleSoon(id: string): Promise<Date> {
  for (let soonMs = 500; ; soonMs *= 2) {
    const due = new Date(Date.now() + soonMs);
    const body = { scheduled_publish_at: due.toISOString() };
    const { status } = await stack.request('POST', `/articles/${id}/schedule`, body);
    if (status === 200) return due;
  }
}

/** A scheduled article is published and its webhook arrives although the worker has not joined Temporal. */
async function publishesAndSends(
  address: string,
  namespace: string,
  mend: () => Promise<unknown>,
): Promise<void> {
  const receiver = await stack.receiver();
  await stack.endpoint(receiver.url);
  const begun = startWorker(address, namespace);
  const key = stack.tenant.secretKey;
  const { id } = await buildArticle(stack.api, key, { title: 'Later', content: 'Text.' });
  const due = await scheduleSoon(id);
  const read = async () => (await stack.request('GET', `/articles/${id}`)).data;
  await eventually('the article is published', async () => (await read()).status === 'published', 200);
  expect(Date.parse((await read()).published_at)).toBeGreaterThanOrEqual(due.getTime());
  await eventually('the webhook has arrived', () => receiver.seen.length > 0);
  expect(JSON.parse(receiver.seen[0]!.body)).toMatchObject({ event: 'article.published', data: { id } });
  expect(begun.said()).not.toContain('"working"');
  await mend();
  await begun.working;
  const { connection } = temporal;
  const handle = new Client({ connection, namespace }).workflow.getHandle(
    workflowIdOf('scheduled-publish', id),
  );
  await eventually('its workflow runs', () => handle.describe().then(Boolean, () => false));
  expect(await handle.result()).toBe('published');
  expect(await begun.stop()).toBe(0);
}

test('a worker that starts before Temporal publishes at the second and sends webhooks, and joins Temporal when it is reachable', async () => {
  const wire = await createWire(temporal.address);
  await wire.cut();
  await publishesAndSends(wire.address, temporal.namespace, () => wire.open());
  await wire.cut();
});

test('a missing namespace does not stop the worker: it publishes and sends, and joins Temporal once the namespace exists', async () => {
  const namespace = `late-${randomUUID()}`;
  await publishesAndSends(temporal.address, namespace, () =>
    registerNamespace(temporal.connection, namespace),
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
