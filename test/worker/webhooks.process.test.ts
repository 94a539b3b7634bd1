import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { recordEvent } from '../../domain/events/events.ts';
import { buildKey } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { environment } from '../support/environment.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { Behaviour, WebhookStack } from '../support/webhooks.ts';

const program = fileURLToPath(new URL('../../worker/main.ts', import.meta.url));

/** A worker as in production, in its own process. */
interface WorkerProcess {
  readonly process: ChildProcess;
  /** Its log. */
  readonly output: string[];
  /** @returns its exit code, or the signal that ended it */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null>;
}

let stack: WebhookStack;
let temporal: TestTemporal;
const running = new Set<WorkerProcess>();

beforeAll(async () => {
  [stack, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterAll(async () => {
  await Promise.all([...running].map((worker) => worker.end('SIGKILL')));
  await temporal.close();
  await stack.close();
});
afterEach(async () => {
  await Promise.all([...running].map((worker) => worker.end('SIGKILL')));
});

/** @param word in the log line to wait for */
async function startWorker(word = '"working"'): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: stack.api.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
      S3_ENDPOINT: environment('S3_ENDPOINT'),
      S3_REGION: environment('S3_REGION'),
      S3_BUCKET: environment('S3_BUCKET'),
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
    },
  });
  const exited = new Promise<number | string | null>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal)),
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  const worker: WorkerProcess = {
    process: child,
    output,
    end(signal) {
      running.delete(worker);
      child.kill(signal);
      return exited;
    },
  };
  running.add(worker);
  await eventually('the worker works', () => {
    if (child.exitCode !== null) throw new Error(output.join(''));
    return output.some((chunk) => chunk.includes(word));
  });
  return worker;
}

/** The endpoint of a new Site, and the requests its receiver gets. */
async function endpoint(behaviour: Behaviour = 200) {
  const tenant = await stack.newTenant();
  const receiver = await stack.receiver(behaviour);
  const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
  return { id, tenant, seen: receiver.seen };
}

const later =
  (milliseconds: number): Behaviour =>
  (_, response) =>
    void setTimeout(() => response.end(), milliseconds);
const eventIds = (seen: { body: string }[]): string[] => seen.map(({ body }) => JSON.parse(body).id);
const recorded = async ({ siteId }: Tenant): Promise<string[]> =>
  (await stack.api.db.pool.query('select id from events where site_id = $1', [siteId])).rows.map(
    ({ id }) => id,
  );

/** Every request has one row with its id, and no attempt of an event has two. */
async function expectEachAttemptOnce(
  id: string,
  seen: { headers: Record<string, unknown> }[],
): Promise<void> {
  const rows = await stack.attempts(id);
  const sent = seen.map(({ headers }) => headers['service-delivery']);
  expect(new Set(sent).size).toBe(sent.length);
  expect(new Set(rows.map((row) => `${row.event_id} ${row.attempt}`)).size).toBe(rows.length);
  const logged = new Set(rows.map((row) => row.id));
  expect(sent.filter((delivery) => !logged.has(delivery))).toEqual([]);
}

test('after a worker was killed with SIGKILL in the middle of 300 publications, the next one delivers the rest; each attempt has one row', async () => {
  const { id, tenant, seen } = await endpoint(later(20));
  const { api } = stack;
  const keys = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async () => (await buildKey(api.db, tenant.siteId, tenant.memberId)).secret),
  );
  const drafts = await Promise.all(
    keys.map(async (key) => {
      const ids: string[] = [];
      for (let count = 0; count < 50; count += 1) {
        const body = { title: `Article ${key.slice(-6)} ${count}`, content: 'Text.' };
        const answer = await api.request('POST', '/articles', { key, body, idempotencyKey: true });
        ids.push(answer.data.id);
      }
      return { key, ids };
    }),
  );
  const worker = await startWorker();
  let published = 0;
  const publishing = Promise.all(
    drafts.map(async ({ key, ids }) => {
      for (const article of ids) {
        const answer = await api.request('POST', `/articles/${article}/publish`, { key });
        expect(answer.status).toBe(200);
        published += 1;
      }
    }),
  );
  await eventually(
    'half of it is published and some has arrived',
    () => published >= 150 && seen.length >= 20,
  );
  expect(await worker.end('SIGKILL')).toBe('SIGKILL');
  const before = seen.length;
  await startWorker();
  await publishing;
  const events = await recorded(tenant);
  expect(events).toHaveLength(300);
  await eventually('everything has arrived', () => new Set(eventIds(seen)).size === 300, 100);
  await eventually(
    'everything is recorded',
    async () =>
      (await api.db.pool.query('select from webhook_queue where endpoint_id = $1', [id])).rowCount === 0,
    100,
  );
  expect(before).toBeLessThan(300);
  expect(new Set(eventIds(seen))).toEqual(new Set(events));
  await expectEachAttemptOnce(id, seen);
  const rows = await stack.attempts(id);
  // The attempts in flight at the kill, and no others, were sent a second time, as the next attempt.
  expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(300);
  const failed = rows.filter(({ status }) => status === 'failed');
  expect(failed.every(({ error, attempt }) => error === 'interrupted' && attempt === 1)).toBe(true);
  // As many again can have been answered, and not be recorded yet.
  expect(failed.length).toBeLessThanOrEqual(2 * 48);
});

test('two workers at once send nothing twice', async () => {
  const { id, tenant, seen } = await endpoint(later(5));
  const other = await endpoint(later(5));
  const workers = await Promise.all([startWorker(), startWorker()]);
  await Promise.all([stack.emit(200, tenant.siteId), stack.emit(200, other.tenant.siteId)]);
  await eventually('everything has arrived', () => seen.length >= 200 && other.seen.length >= 200);
  // Both shut down gracefully, with their attempts in flight.
  expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0]);
  for (const each of [{ id, tenant, seen }, other]) {
    expect(each.seen).toHaveLength(200);
    expect(new Set(eventIds(each.seen))).toEqual(new Set(await recorded(each.tenant)));
    await expectEachAttemptOnce(each.id, each.seen);
    expect(await stack.attempts(each.id)).toHaveLength(200);
  }
});

describe('with one worker', () => {
  test('nine hanging endpoints do not hold up a live one of their Site, and it loses nothing', async () => {
    const tenant = await stack.newTenant();
    const dead = await stack.receiver(() => {});
    const live = await stack.receiver((_, response) => response.end());
    const hanging: string[] = [];
    for (let count = 0; count < 9; count += 1)
      hanging.push((await stack.endpoint(dead.url, {}, tenant.secretKey)).id);
    const { id } = await stack.endpoint(live.url, {}, tenant.secretKey);
    await startWorker();
    await stack.emit(10, tenant.siteId);
    await eventually('something has arrived', () => live.seen.length > 0, 5);
    // It did not wait for a time-out of those that hang.
    expect((await Promise.all(hanging.map((each) => stack.attempts(each)))).flat()).toEqual([]);
    for (let round = 1; round < 10; round += 1) await stack.emit(10, tenant.siteId);
    await eventually('everything has arrived', () => live.seen.length >= 100);
    expect(new Set(eventIds(live.seen))).toEqual(new Set(await recorded(tenant)));
    expect(dead.seen.length).toBeGreaterThan(0);
    await eventually('everything is recorded', async () => (await stack.attempts(id)).length === 100);
    await expectEachAttemptOnce(id, live.seen);
  });

  test('an event whose NOTIFY was lost is found by the poll', async () => {
    const { tenant, seen } = await endpoint();
    await startWorker();
    const emitSilently = () =>
      stack.api.db.transaction(async (tx) =>
        recordEvent({ ...tx, notify: () => {} }, tenant.siteId, 'article.published', { id: 'x' }, new Date()),
      );
    const ids = [await emitSilently()];
    await eventually('it has arrived', () => seen.length === 1);
    ids.push(await emitSilently());
    await eventually('the next has arrived, too', () => seen.length === 2);
    expect(eventIds(seen)).toEqual(ids);
  });

  test('an event committed while no worker ran is sent when one starts, and recorded before a SIGTERM ends it', async () => {
    const { id, tenant, seen } = await endpoint(later(1_000));
    await stack.emit(3, tenant.siteId);
    const worker = await startWorker('sending webhooks');
    await eventually('they are in flight', () => seen.length === 3);
    expect(await stack.attempts(id)).toEqual([]);
    await worker.end('SIGTERM');
    expect(await stack.attempts(id)).toMatchObject(
      [1, 2, 3].map(() => ({ status: 'succeeded', attempt: 1 })),
    );
  });
});
