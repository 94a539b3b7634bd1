import { setTimeout as sleep } from 'node:timers/promises';
import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { freePort } from '../../runtime/free-port.ts';
import { scrape, valueOf } from '../observability/metrics/exposition.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

const WORKERS = 3;
const SITES = 6;
const EVENTS = 12;

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

const settings = () => ({
  databaseUrl: stack.api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: {
    ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
  },
});

interface Counted {
  readonly worker: WorkerProcess;
  readonly port: number;
}

async function startWorkers(): Promise<Counted[]> {
  const started: Counted[] = [];
  for (let number = 0; number < WORKERS; number += 1) {
    const port = await freePort();
    const { env, ...shared } = settings();
    started.push({ worker: spawnWorker({ ...shared, env: { ...env, METRICS_PORT: String(port) } }), port });
    await started.at(-1)?.worker.working;
  }
  // Each has looked which others there are.
  await sleep(2_500);
  return started;
}

/** A counter of each worker. */
const counters = (workers: readonly Counted[], name: string): Promise<number[]> =>
  Promise.all(workers.map(async ({ port }) => valueOf(await scrape(port), name) ?? 0));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Endpoints of Sites of their own. */
async function endpoints(status: number) {
  return Promise.all(
    Array.from({ length: SITES }, async () => {
      const tenant = await stack.newTenant();
      const receiver = await stack.receiver(status);
      const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
      return { id, tenant, receiver };
    }),
  );
}

/** How often the workflow of an endpoint was signalled. */
async function signals(id: string): Promise<number> {
  const { events } = await temporal.client.workflow
    .getHandle(workflowIdOf('webhook-endpoint', id))
    .fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

test('three workers and three APIs: each event costs one claim, none or one signal, and is attempted once', async () => {
  const targets = await endpoints(200);
  const workers = await startWorkers();
  const apis = await Promise.all([1, 2, 3].map(() => spawnApi(settings())));
  await Promise.all(apis.map(({ working }) => working));
  for (const { id } of targets)
    await eventually('its workflow is open', () =>
      signals(id).then(
        () => true,
        () => false,
      ),
    );
  const before = {
    claims: await counters(workers, 'presswork_webhook_claims_total'),
    signals: await Promise.all(targets.map(({ id }) => signals(id))),
  };
  for (let round = 0; round < EVENTS; round += 1) {
    await Promise.all(
      targets.map(async ({ tenant: { secretKey: key } }, index) => {
        const origin = apis[(round + index) % apis.length]?.origin;
        const body = { title: `Round ${round}`, content: 'Text.' };
        const created = await stack.api.request('POST', `${origin}/v1/articles`, {
          key,
          body,
          idempotencyKey: true,
        });
        const id = created.data.id;
        const answer = await stack.api.request('POST', `${origin}/v1/articles/${id}/publish`, { key });
        expect(answer.status).toBe(200);
      }),
    );
    // Events of a receiver that is idle again: none is claimed with another.
    await sleep(100);
  }
  await eventually('everything has arrived', () =>
    targets.every(({ receiver }) => receiver.seen.length === EVENTS),
  );
  for (const { id } of targets) {
    await eventually('it is recorded', async () => (await stack.attempts(id)).length >= EVENTS);
    const rows = await stack.attempts(id);
    expect(rows).toHaveLength(EVENTS);
    expect(new Set(rows.map((row) => row.event_id)).size).toBe(EVENTS);
    expect(rows.every(({ attempt, status }) => attempt === 1 && status === 'succeeded')).toBe(true);
  }
  const claims = (await counters(workers, 'presswork_webhook_claims_total')).map(
    (count, index) => count - (before.claims[index] ?? 0),
  );
  const deliveries = SITES * EVENTS;
  // A worker that is late by a second may be helped by another.
  expect(sum(claims)).toBeLessThanOrEqual(deliveries * 1.1);
  // They share the endpoints.
  expect(claims.filter((count) => count > 0).length).toBeGreaterThan(1);
  expect(Math.max(...claims)).toBeLessThan(deliveries);
  const signalled = await Promise.all(targets.map(({ id }) => signals(id)));
  // What arrives at once changes nothing that a workflow waits for.
  expect(sum(signalled) - sum(before.signals)).toBe(0);
});

test('of three workers, an event that fails is signalled once', async () => {
  const targets = await endpoints(500);
  await startWorkers();
  for (const { id } of targets)
    await eventually('its workflow is open', () =>
      signals(id).then(
        () => true,
        () => false,
      ),
    );
  const before = await Promise.all(targets.map(({ id }) => signals(id)));
  for (const { tenant } of targets) await stack.emit(1, tenant.siteId);
  for (const { id } of targets)
    await eventually('it is recorded', async () => (await stack.attempts(id)).length === 1);
  await sleep(1_500);
  const after = await Promise.all(targets.map(({ id }) => signals(id)));
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual(targets.map(() => 1));
});

test('of three workers one is killed and one stands still: the third sends for all of them within seconds', async () => {
  const targets = await endpoints(200);
  const workers = await startWorkers();
  await workers[0]?.worker.kill();
  workers[1]?.worker.stall();
  for (const { tenant } of targets) await stack.emit(3, tenant.siteId);
  const begun = Date.now();
  await eventually('everything has arrived', () =>
    targets.every(({ receiver }) => receiver.seen.length >= 3),
  );
  expect(Date.now() - begun).toBeLessThan(15_000);
  workers[1]?.worker.wakeUp();
  for (const { id } of targets) {
    await eventually('it is recorded', async () => (await stack.attempts(id)).length >= 3);
    const rows = await stack.attempts(id);
    expect(new Set(rows.map((row) => `${row.event_id} ${row.attempt}`)).size).toBe(rows.length);
  }
});
