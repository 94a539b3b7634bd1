import { operator } from '../../domain/audit.ts';
import { startMaintenance } from '../../domain/sites.ts';
import { redeliverEvent } from '../../domain/webhooks/again.ts';
import { findEndpointForChange } from '../../domain/webhooks/endpoint.ts';
import { webhookEndpointId } from '../../temporal/names.ts';
import { pause } from '../../workflows/webhook-endpoint.ts';
import type { Tenant } from '../support/builders.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookWorld } from '../support/webhooks.ts';
import { endWorkers, spawnWorker } from './processes.ts';

let world: WebhookWorld;
let temporal: TestTemporal;

beforeAll(async () => {
  [world, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await temporal.close();
  await world.close();
});

const startWorker = async () => {
  const worker = spawnWorker({
    databaseUrl: world.api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      ENCRYPTION_KEY: world.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...world.allowedHosts].join(','),
    },
  });
  await worker.working;
  return worker;
};

/** An endpoint of a Site of its own with one event, of which the first attempt hangs until it is let go. */
async function hanging(): Promise<Hanging> {
  const tenant = await world.newTenant();
  let answer: () => void = () => {};
  const receiver = await world.receiver((_, response, count) => {
    if (count > 1) response.end();
    else answer = () => response.end();
  });
  const { id } = await world.endpoint(receiver.url, {}, tenant.secretKey);
  const [eventId] = await world.emit(1, tenant.siteId);
  return {
    id,
    tenant,
    eventId: eventId!,
    attempts: () =>
      receiver.seen.map(({ headers }) => `${headers['service-attempt']} ${headers['service-delivery']}`),
    answer: () => answer(),
    rows: async () =>
      (await world.attempts(id)).map(({ attempt, error, redelivery, id: row }) => ({
        attempt,
        error,
        redelivery,
        id: row,
      })),
    request: (method, path = '', body) =>
      world.api.request(method, `/webhooks/${id}${path}`, { key: tenant.secretKey, ...(body && { body }) }),
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

const underWay = (endpoints: readonly Hanging[]): Promise<void> =>
  eventually('the first attempts are under way', () =>
    endpoints.every(({ attempts }) => attempts().length === 1),
  );

/** Asks for the event again, as the API does; its log has no row yet to name. */
const redeliver = ({ id, eventId }: Hanging): Promise<unknown> =>
  world.api.db.transaction(async (tx) => {
    const endpoint = await findEndpointForChange(tx, id);
    return redeliverEvent(tx, endpoint!, eventId, world.clock.now());
  });

test('an attempt in the middle of which its worker was killed is logged as interrupted, whatever is done to its endpoint at once', async () => {
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
  const handle = (name: (typeof names)[number]) =>
    temporal.client.workflow.getHandle(webhookEndpointId(of(name).id));
  const worker = await startWorker();
  await underWay([...endpoints.values()]);
  await eventually('it has a process to signal', () =>
    handle('paused')
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  await worker.kill();

  await redeliver(of('redelivered'));
  for (const name of ['disabled', 'enabled again'] as const)
    expect((await of(name).request('PATCH', '', { enabled: false })).status).toBe(200);
  expect((await of('enabled again').request('PATCH', '', { enabled: true })).status).toBe(200);
  expect((await of('deleted').request('DELETE')).status).toBe(204);
  await handle('paused').signal(pause);
  const { siteId } = of('in maintenance').tenant;
  await world.api.db.transaction((tx) => startMaintenance(tx, operator, siteId, 60, new Date()));
  expect((await of('in maintenance').request('PATCH', '', { enabled: false })).status).toBe(503);

  await startWorker();
  // By the time it is known what was interrupted, the redelivery has long arrived.
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

test('the late answers of a worker that was only stalled make no second row and no wrong one', async () => {
  const endpoints = [await hanging(), await hanging(), await hanging()] as const;
  const [plain, redelivered, disabled] = endpoints;
  const stalled = await startWorker();
  await underWay(endpoints);
  stalled.stall();
  for (const { answer } of endpoints) answer();
  await redeliver(redelivered);
  await disabled.request('PATCH', '', { enabled: false });
  await startWorker();
  const recorded = async (): Promise<boolean> => {
    const counts = await Promise.all(endpoints.map(async ({ rows }) => (await rows()).length));
    return counts.join() === '2,2,1';
  };
  await eventually('what it held is taken for interrupted, and sent by the other', recorded, 100);
  const before = await Promise.all(endpoints.map(({ rows }) => rows()));
  stalled.wakeUp();
  expect(await stalled.stop()).toBe(0);
  expect(await Promise.all(endpoints.map(({ rows }) => rows()))).toEqual(before);
  expect(before.map((rows) => rows.map(({ attempt, error }) => `${attempt} ${error}`))).toEqual([
    ['1 interrupted', '2 null'],
    ['1 interrupted', '1 null'],
    ['1 interrupted'],
  ]);
  // Each request has its row, and each row its request.
  for (const { attempts, rows } of endpoints)
    expect((await rows()).map(({ attempt, id }) => `${attempt} ${id}`).sort()).toEqual(attempts().sort());
  const { data } = await world.api.request('GET', `/webhooks/${plain.id}`, { key: plain.tenant.secretKey });
  expect(data.consecutive_failures).toBe(0);
});
