import { operator } from '../../domain/audit/record.ts';
import { removeLeftovers } from '../../domain/webhooks/leftovers.ts';
import { setPaused } from '../../domain/webhooks/queue.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { buildPublished } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { DRAINED_MS, startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let stack: WebhookStack;

beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(() => stack.close());

const endpoint = async (id: string) => (await stack.request('GET', `/webhooks/${id}`)).data;
const waiting = async (): Promise<number> => (await stack.waiting()).length;
/** Raises the counter to a number, with one event per failure that is not retried. */
async function fail(id: string, times: number): Promise<void> {
  await stack.emit(times);
  await stack.deliver(id);
  expect((await endpoint(id)).consecutive_failures).toBe(times);
  await stack.api.db.pool.query('delete from webhook_queue where endpoint_id = $1', [id]);
}

test('twelve failures in a row, over the attempts of several events, disable the endpoint; eleven do not', async () => {
  const { id } = await stack.endpoint((await stack.receiver(500)).url);
  await stack.emit(2);
  for (let round = 1; round <= 5; round += 1) {
    await stack.deliver(id);
    stack.clock.advance(8 * 60 * 60_000);
  }
  await stack.emit();
  await stack.deliver(id);
  expect(await endpoint(id)).toMatchObject({
    enabled: false,
    consecutive_failures: 12,
    disabled_reason: expect.stringMatching(/12/),
  });
  expect(await stack.attempts(id)).toHaveLength(12);
  const { rows: told } = await stack.api.db.pool.query(
    `select member_id from notifications where kind = 'webhook.disabled' and target_id = $1`,
    [id],
  );
  expect(told).toEqual([{ member_id: stack.tenant.memberId }]);
});

test('with large bodies and no failure before, none is attempted after the twelfth either', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await stack.endpoint(receiver.url);
  for (let event = 0; event < 40; event += 1)
    await buildPublished(stack.api, stack.tenant.secretKey, { content: 'x'.repeat(60_000) });
  const started: number[] = [];
  const { http } = stack.session.ports;
  const disabled = { at: 0 };
  let bodies = 0;
  const session = stack.newSession({
    // The later bodies are there only when the endpoint has been disabled.
    db: {
      ...stack.api.db,
      async maybeOne(query) {
        if (query.sql.includes('body') && (bodies += 1) > 15)
          await eventually('the endpoint is disabled', () => disabled.at > 0);
        return stack.api.db.maybeOne(query);
      },
    },
    http: {
      ...http,
      request: (request) => {
        started.push(performance.now());
        return http.request(request);
      },
    },
  });
  const watch = eventually(
    'the endpoint is disabled',
    async () => !(await endpoint(id)).enabled && (disabled.at = performance.now()),
    1,
  );
  while (disabled.at === 0) await session.run(id);
  await watch;
  await session.drain(DRAINED_MS);
  expect(started.filter((time) => time > disabled.at)).toEqual([]);
  const attempts = await stack.attempts(id);
  expect(attempts).toHaveLength(receiver.seen.length);
  // Those that were claimed and did not begin are no attempts.
  expect(attempts.map(({ error }) => error)).not.toContain('interrupted');
});

test.each([1, 4, 8, 11])(
  'after %d failures, of 60 events due in three processes, none is attempted after the twelfth failure',
  async (before) => {
    const receiver = await stack.receiver(
      (_, response) => void setTimeout(() => response.writeHead(500).end(), 10),
    );
    const { id } = await stack.endpoint(receiver.url);
    await fail(id, before);
    await stack.emit(60);
    const started: number[] = [];
    const { http } = stack.session.ports;
    const observed: typeof http = {
      ...http,
      request: (request) => {
        started.push(performance.now());
        return http.request(request);
      },
    };
    const sessions = [1, 2, 3].map(() => stack.newSession({ http: observed }));
    const disabled = { at: 0 };
    const watch = eventually(
      'the endpoint is disabled',
      async () => !(await endpoint(id)).enabled && (disabled.at = performance.now()),
      1,
    );
    while (disabled.at === 0) await Promise.all(sessions.map((session) => session.run(id)));
    await watch;
    await Promise.all(sessions.map((session) => session.drain(DRAINED_MS)));
    expect(started.length).toBeGreaterThanOrEqual(12 - before);
    expect(started.filter((time) => time > disabled.at)).toEqual([]);
    expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
    // Every attempt made has its row, and there are no other rows.
    const rows = await stack.attempts(id);
    expect(rows).toHaveLength(receiver.seen.length);
    expect(new Set(rows.map((row) => row.id))).toEqual(
      new Set(receiver.seen.map(({ headers }) => headers['service-delivery'])),
    );
    expect(await waiting()).toBe(0);
    stack.clock.advance(DAY);
    for (const session of sessions) await session.run(id);
    expect(receiver.seen).toHaveLength(rows.length);
  },
);

test('one process starts exactly as many attempts as are left until the twelfth failure', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await stack.endpoint(receiver.url);
  await fail(id, 5);
  await stack.emit(40);
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(12);
  expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
});

test('it is disabled once: one audit row and one new version', async () => {
  const { id } = await stack.endpoint((await stack.receiver(500)).url);
  await stack.emit(40);
  await Promise.all([1, 2, 3].map(() => stack.newSession().run(id)));
  await eventually('the endpoint is disabled', async () => !(await endpoint(id)).enabled);
  const answer = await stack.request('GET', `/webhooks/${id}`);
  expect(answer.headers.get('etag')).toBe('W/"2"');
  const { rows } = await stack.api.db.pool.query(
    `select action, details from audit_log where target_id = $1 and action = 'webhook.disable'`,
    [id],
  );
  expect(rows).toMatchObject([{ details: { reason: answer.data.disabled_reason } }]);
});

test('any 2xx resets the counter to zero', async () => {
  let status = 500;
  const { id } = await stack.endpoint(
    (await stack.receiver((_, response) => void response.writeHead(status).end())).url,
  );
  for (const _ of [1, 2, 3]) {
    status = 500;
    await fail(id, 11);
    status = 202;
    await stack.emit();
    await stack.deliver(id);
    expect(await endpoint(id)).toMatchObject({ enabled: true, consecutive_failures: 0 });
  }
});

test('an attempt in flight at the twelfth failure finishes and is logged, and changes nothing', async () => {
  const gate: (() => void)[] = [];
  const receiver = await stack.receiver((_, response, count) => {
    if (count === 1) gate.push(() => response.end());
    else response.writeHead(500).end();
  });
  const { id } = await stack.endpoint(receiver.url);
  await stack.emit();
  await stack.session.run(id);
  await eventually('it is in flight', () => gate.length === 1);
  await stack.emit(12);
  await eventually('the endpoint is disabled', async () => {
    await stack.session.run(id);
    return !(await endpoint(id)).enabled;
  });
  gate[0]!();
  await stack.session.drain(DRAINED_MS);
  const rows = await stack.attempts(id);
  expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  expect(rows).toHaveLength(13);
  expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
  expect(await waiting()).toBe(0);
});

describe('with an attempt in flight', () => {
  const hanging = async () => {
    const gate: (() => void)[] = [];
    const receiver = await stack.receiver((_, response) => {
      gate.push(() => response.writeHead(500).end());
    });
    const { id } = await stack.endpoint(receiver.url);
    await stack.emit();
    await stack.session.run(id);
    await eventually('it is in flight', () => gate.length === 1);
    const finish = async () => {
      gate[0]!();
      await stack.session.drain(DRAINED_MS);
      stack.clock.advance(DAY);
      await stack.session.run(id);
    };
    return { id, receiver, finish };
  };

  test('a deletion ends the retries, and the late answer is recorded nowhere', async () => {
    const { id, receiver, finish } = await hanging();
    expect((await stack.request('DELETE', `/webhooks/${id}`)).status).toBe(204);
    await finish();
    expect(receiver.seen).toHaveLength(1);
    await stack.api.db.transaction((tx) => removeLeftovers(tx, stack.clock.now(), 100));
    expect([await stack.attempts(id), await waiting()]).toEqual([[], 0]);
  });

  test('disabling by request lets the attempt finish, logs it without a next attempt, and ends the retries', async () => {
    const { id, receiver, finish } = await hanging();
    await stack.request('PATCH', `/webhooks/${id}`, { enabled: false });
    await finish();
    expect(receiver.seen).toHaveLength(1);
    expect(await stack.attempts(id)).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    expect((await endpoint(id)).consecutive_failures).toBe(0);
    await stack.request('PATCH', `/webhooks/${id}`, { enabled: true });
    await stack.session.run(id);
    expect([receiver.seen.length, await waiting()]).toEqual([1, 0]);
  });

  test('a paused endpoint is sent nothing and keeps its queue, which is sent once it is resumed', async () => {
    const pause = (paused: boolean) =>
      stack.api.db.transaction((tx) => setPaused(tx, operator, id, paused, stack.clock.now()));
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url);
    await pause(true);
    await stack.emit(3);
    await stack.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([0, 3]);
    await pause(false);
    await stack.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([3, 0]);
  });
});
