import { createWire, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import type { Receiver } from '../support/receivers.ts';
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

function startWorker(places: { databaseUrl?: string; temporalAddress?: string } = {}): WorkerProcess {
  return spawnWorker({
    databaseUrl: stack.api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    ...places,
    env: {
      ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
      WEBHOOK_RETRY_DELAYS: '1s,1s,1s,1s,1s',
    },
  });
}

async function workingWorker(places?: Parameters<typeof startWorker>[0]): Promise<WorkerProcess> {
  const worker = startWorker(places);
  await worker.working;
  return worker;
}

interface Queue {
  readonly endpointId: string;
  readonly receiver: Receiver;
  readonly events: readonly string[];
}

/** Endpoints of different Sites, each with waiting events and a slow receiver. */
const queues = (count: number, events: number, answersAfterMs: number): Promise<Queue[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const tenant = await stack.newTenant();
      const receiver = await stack.receiver(
        (_, response) => void setTimeout(() => response.end(), answersAfterMs),
      );
      const { id: endpointId } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
      return { endpointId, receiver, events: await stack.emit(events, tenant.siteId) };
    }),
  );

const arrived = ({ receiver, events }: Queue): boolean => {
  const ids = new Set(receiver.seen.map(({ body }) => JSON.parse(body).id as string));
  return events.every((id) => ids.has(id));
};
const all = async (queues: readonly Queue[]): Promise<void> =>
  eventually('everything has arrived', () => queues.every(arrived), 50);

/** Every request that a receiver got is in the log as succeeded. */
async function expectAllRecorded(queues: readonly Queue[]): Promise<void> {
  for (const { endpointId, receiver } of queues) {
    const rows = await stack.attempts(endpointId);
    const sent = receiver.seen.map(({ headers }) => headers['service-delivery']);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(sent.toSorted());
    expect(rows.filter(({ status, attempt }) => status !== 'succeeded' || attempt !== 1)).toEqual([]);
  }
}

test('signalled twice in the middle of a backlog, it records the attempts in flight and leaves the rest to the next worker', async () => {
  const waiting = await queues(4, 300, 400);
  const worker = await workingWorker();
  const inFlight = () => waiting.every(({ receiver }) => receiver.seen.length > 0);
  await eventually('all are being sent to', inFlight);
  const ended = worker.stop();
  void worker.stop();
  expect(await ended).toBe(0);
  await expectAllRecorded(waiting);
  expect(waiting.filter((queue) => !arrived(queue))).not.toEqual([]);
  await workingWorker();
  await all(waiting);
  const recorded = async (): Promise<boolean> => {
    const logs = await Promise.all(waiting.map(({ endpointId }) => stack.attempts(endpointId)));
    return logs.every(({ length }) => length === 300);
  };
  await eventually('everything is recorded', recorded, 50);
  await expectAllRecorded(waiting);
});

test('signalled while Temporal is unavailable or PostgreSQL hangs, it exits with 0, and the next worker sends the rest', async () => {
  const waiting = await queues(6, 60, 1_000);
  const database = new URL(stack.api.url);
  const wires = await Promise.all([temporal.address, database.host].map((target) => createWire(target)));
  const databaseUrl = Object.assign(new URL(stack.api.url), { host: wires[1]!.address }).href;
  const workers = await Promise.all([
    workingWorker({ temporalAddress: wires[0]!.address }),
    workingWorker({ databaseUrl }),
  ]);
  const inFlight = () => waiting.every(({ receiver }) => receiver.seen.length > 0);
  await eventually('all are being sent to', inFlight);
  await wires[0]!.cut();
  for (const direction of ['requests', 'answers'] as const) wires[1]!.hold(direction);
  const codes = await Promise.all(workers.map((worker) => worker.stop()));
  expect([
    codes,
    workers
      .map((worker) => worker.said())
      .join('')
      .match(/"level":60.*/),
  ]).toEqual([[0, 0], null]);
  for (const wire of wires) await wire.cut();
  await workingWorker();
  await all(waiting);
});

test('signalled during the start, it ends at once, without Temporal and at any moment', async () => {
  const wire = await createWire(temporal.address);
  await wire.cut();
  const waiting = startWorker({ temporalAddress: wire.address });
  waiting.working.catch(() => {});
  await eventually('it waits for Temporal', () => waiting.said().includes('cannot be reached yet'));
  expect(await waiting.stop()).toBe(0);

  const codes: (number | null)[] = [];
  for (let afterMs = 100; afterMs <= 2_000; afterMs += 400) {
    const worker = startWorker();
    worker.working.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    codes.push(await worker.stop());
  }
  // Null if Node itself was not yet running, and the signal ended it.
  expect(codes.filter((code) => code !== null && code !== 0)).toEqual([]);
});
