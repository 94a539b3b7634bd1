import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { freePort } from '../../runtime/free-port.ts';
import { LISTENER } from '../../worker/listener.ts';
import { scrape, valueOf } from '../support/exposition.ts';
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
afterAll(async () => {
  endWorkers();
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

/** The workers of all tests, and what they send to: it must be there before they start. */
let workers: readonly Counted[];
let targets: Readonly<Record<'counted' | 'failing' | 'late', Awaited<ReturnType<typeof endpoints>>>>;
beforeAll(async () => {
  targets = { counted: await endpoints(200), failing: await endpoints(500), late: await endpoints(200) };
  workers = await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const port = await freePort();
      const { env, ...shared } = settings();
      const worker = spawnWorker({ ...shared, env: { ...env, METRICS_PORT: String(port) } });
      await worker.working;
      return { worker, port };
    }),
  );
  await eventually('all of them listen', async () => {
    const { rows } = await stack.api.db.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = $1`,
      [LISTENER],
    );
    return rows.length === WORKERS;
  });
  await allLook();
});

/** Waits until each worker has looked which others there are, and what is due. */
async function allLook(): Promise<void> {
  // The look that ends first may have begun before.
  for (let looks = 0; looks < 2; looks += 1) {
    const from = performance.now();
    for (const { port } of workers)
      await eventually('it has looked', async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
        const { loops } = (await answer.json()) as { loops: { poll: number } };
        return loops.poll < performance.now() - from;
      });
  }
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
  const { counted } = targets;
  const apis = await Promise.all([1, 2, 3].map(() => spawnApi(settings())));
  await Promise.all(apis.map(({ working }) => working));
  for (const { id } of counted)
    await eventually('its workflow is open', () =>
      signals(id).then(
        () => true,
        () => false,
      ),
    );
  const before = {
    claims: await counters(workers, 'presswork_webhook_claims_total'),
    signals: await Promise.all(counted.map(({ id }) => signals(id))),
  };
  for (let round = 0; round < EVENTS; round += 1) {
    await Promise.all(
      counted.map(async ({ tenant: { secretKey: key } }, index) => {
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
    // The next are events of a receiver that is idle again: none is claimed with another.
    for (const { id } of counted)
      await eventually('it is recorded', async () => (await stack.attempts(id)).length > round);
  }
  await eventually('everything has arrived', () =>
    counted.every(({ receiver }) => receiver.seen.length === EVENTS),
  );
  for (const { id } of counted) {
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
  const signalled = await Promise.all(counted.map(({ id }) => signals(id)));
  // What arrives at once changes nothing that a workflow waits for.
  expect(sum(signalled) - sum(before.signals)).toBe(0);
});

test('of three workers, an event that fails is signalled once', async () => {
  const { failing } = targets;
  for (const { id } of failing)
    await eventually('its workflow is open', () =>
      signals(id).then(
        () => true,
        () => false,
      ),
    );
  const before = await Promise.all(failing.map(({ id }) => signals(id)));
  for (const { tenant } of failing) await stack.emit(1, tenant.siteId);
  for (const { id } of failing)
    await eventually('it is recorded', async () => (await stack.attempts(id)).length === 1);
  await allLook();
  const after = await Promise.all(failing.map(({ id }) => signals(id)));
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual(failing.map(() => 1));
});

test('of three workers one is killed and one stands still: the third sends for all of them', async () => {
  const { late } = targets;
  await workers[0]?.worker.kill();
  workers[1]?.worker.stall();
  for (const { tenant } of late) await stack.emit(3, tenant.siteId);
  await eventually('everything has arrived', () => late.every(({ receiver }) => receiver.seen.length >= 3));
  workers[1]?.worker.wakeUp();
  for (const { id } of late) {
    await eventually('it is recorded', async () => (await stack.attempts(id)).length >= 3);
    const rows = await stack.attempts(id);
    expect(new Set(rows.map((row) => `${row.event_id} ${row.attempt}`)).size).toBe(rows.length);
  }
});
