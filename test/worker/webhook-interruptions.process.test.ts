import { operator } from '../../domain/audit/record.ts';
import { startMaintenance } from '../../domain/organisations/sites.ts';
import { queueRedelivery } from '../../domain/webhooks/redelivery.ts';
import { pauseEndpoint } from '../../domain/webhooks/support.ts';
import { byOperator, findEndpointForUpdate } from '../../domain/webhooks/endpoint.ts';
import type { Tenant } from '../support/builders.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnWorker } from './processes.ts';

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

const startWorker = async () => {
  const worker = spawnWorker({
    databaseUrl: stack.api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
    },
  });
  await worker.working;
  return worker;
};

/** The endpoint of a new Site with one event, whose first attempt hangs until it is released. */
async function hanging(): Promise<Hanging> {
  const tenant = await stack.newTenant();
  let answer: () => void = () => {};
  const receiver = await stack.receiver((_, response, count) => {
    if (count > 1) response.end();
    else answer = () => response.end();
  });
  const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
  const [eventId] = await stack.emit(1, tenant.siteId);
  return {
    id,
    tenant,
    eventId: eventId!,
    attempts: () =>
      receiver.seen.map(({ headers }) => `${headers['service-attempt']} ${headers['service-delivery']}`),
    answer: () => answer(),
    rows: async () =>
      (await stack.attempts(id)).map(({ attempt, error, redelivery, id: row }) => ({
        attempt,
        error,
        redelivery,
        id: row,
      })),
    request: (method, path = '', body) =>
      stack.api.request(method, `/webhooks/${id}${path}`, { key: tenant.secretKey, ...(body && { body }) }),
  };
}

interface Hanging {
  readonly id: string;
  readonly tenant: Tenant;
  readonly eventId: string;
  readonly attempts: () => string[];
  readonly answer: () => void;
  readonly rows: () => Promise<{ attempt: number; error: string | null; redelivery: boolean; id: string }[]>;
  readonly request: (method: string, path?: string, body?: object) => Promise<{ status: number }>;
}

const inFlight = (endpoints: readonly Hanging[]): Promise<void> =>
  eventually('the first attempts are in flight', () =>
    endpoints.every(({ attempts }) => attempts().length === 1),
  );

/** Requests a redelivery like the API, because the log has no row yet. */
const redeliver = ({ id, eventId }: Hanging): Promise<unknown> =>
  stack.api.db.transaction(async (tx) => {
    const endpoint = await findEndpointForUpdate(tx, id);
    return queueRedelivery(byOperator(tx, endpoint!, stack.clock.now()), endpoint!, eventId);
  });

test('an attempt whose worker was killed is logged as interrupted, whatever then happens to its endpoint', async () => {
  const names = [
    'left alone',
    'redelivered',
    'disabled',
    'enabled again',
    'deleted',
    'paused',
    'in maintenance',
  ] as const;
  const endpoints = new Map<(typeof names)[number], Hanging>();
  for (const name of names) endpoints.set(name, await hanging());
  const of = (name: (typeof names)[number]): Hanging => endpoints.get(name)!;
  const worker = await startWorker();
  await inFlight([...endpoints.values()]);
  await worker.kill();

  await redeliver(of('redelivered'));
  for (const name of ['disabled', 'enabled again'] as const)
    expect((await of(name).request('PATCH', '', { enabled: false })).status).toBe(200);
  expect((await of('enabled again').request('PATCH', '', { enabled: true })).status).toBe(200);
  expect((await of('deleted').request('DELETE')).status).toBe(204);
  // As the signal does, but certainly before the lease ends: no worker runs.
  await stack.api.db.transaction((tx) => pauseEndpoint(tx, of('paused').id, true, new Date()));
  const { siteId } = of('in maintenance').tenant;
  await stack.api.db.transaction((tx) =>
    startMaintenance({ tx, actor: operator, now: new Date() }, siteId, 60),
  );
  expect((await of('in maintenance').request('PATCH', '', { enabled: false })).status).toBe(503);

  await startWorker();
  // The redelivery arrives before the interruption is detected.
  await eventually('the redelivery has arrived', () => of('redelivered').attempts().length === 2);
  const interrupted = (name: (typeof names)[number]) => {
    const [id] = of(name)
      .attempts()
      .map((attempt) => attempt.split(' ')[1]);
    return { attempt: 1, error: 'interrupted', redelivery: false, id };
  };
  const arrived = (attempt: number, redelivery = false) => ({
    attempt,
    error: null,
    redelivery,
    id: expect.any(String),
  });
  const expected = {
    'left alone': [interrupted('left alone'), arrived(2)],
    redelivered: [interrupted('redelivered'), arrived(1, true)],
    disabled: [interrupted('disabled')],
    'enabled again': [interrupted('enabled again')],
    deleted: [],
    paused: [interrupted('paused')],
    'in maintenance': [interrupted('in maintenance'), arrived(2)],
  };
  for (const name of names)
    await eventually(
      `${name} is recorded`,
      async () => (await of(name).rows()).length === expected[name].length,
      100,
    );
  for (const name of names) expect([name, await of(name).rows()]).toEqual([name, expected[name]]);
});

test('late answers of a stalled worker add neither a second nor a wrong row', async () => {
  const endpoints = [await hanging(), await hanging(), await hanging()] as const;
  const [plain, redelivered, disabled] = endpoints;
  const stalled = await startWorker();
  await inFlight(endpoints);
  stalled.stall();
  for (const { answer } of endpoints) answer();
  await redeliver(redelivered);
  await disabled.request('PATCH', '', { enabled: false });
  await startWorker();
  const recorded = async (): Promise<boolean> => {
    const counts = await Promise.all(endpoints.map(async ({ rows }) => (await rows()).length));
    return counts.join() === '2,2,1';
  };
  await eventually('its attempts count as interrupted, and the other worker sends them', recorded, 100);
  const before = await Promise.all(endpoints.map(({ rows }) => rows()));
  stalled.wakeUp();
  expect(await stalled.stop()).toBe(0);
  expect(await Promise.all(endpoints.map(({ rows }) => rows()))).toEqual(before);
  expect(before.map((rows) => rows.map(({ attempt, error }) => `${attempt} ${error}`))).toEqual([
    ['1 interrupted', '2 null'],
    ['1 interrupted', '1 null'],
    ['1 interrupted'],
  ]);
  // Requests and rows match one to one.
  for (const { attempts, rows } of endpoints)
    expect((await rows()).map(({ attempt, id }) => `${attempt} ${id}`).sort()).toEqual(attempts().sort());
  const { data } = await stack.api.request('GET', `/webhooks/${plain.id}`, { key: plain.tenant.secretKey });
  expect(data.consecutive_failures).toBe(0);
});
