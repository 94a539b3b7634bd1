import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookWorld } from '../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let world: WebhookWorld;

beforeEach(async () => {
  world = await startWebhooks();
});
afterEach(() => world.close());

const endpoint = async (id: string) => (await world.request('GET', `/webhooks/${id}`)).data;
const waiting = async (): Promise<number> =>
  (await world.api.db.pool.query('select from webhook_queue')).rowCount!;
/** Brings the counter up to a number, with an event for each failure whose retries end. */
async function fail(id: string, times: number): Promise<void> {
  await world.emit(times);
  await world.deliver(id);
  expect((await endpoint(id)).consecutive_failures).toBe(times);
  await world.api.db.pool.query('delete from webhook_queue');
}

test('twelve failures in a row, over the attempts of several events, disable the endpoint; eleven do not', async () => {
  const { id } = await world.endpoint((await world.receiver(500)).url);
  await world.emit(2);
  for (let round = 1; round <= 5; round += 1) {
    await world.deliver(id);
    world.clock.advance(8 * 60 * 60_000);
  }
  await world.emit();
  await world.deliver(id);
  expect(await endpoint(id)).toMatchObject({
    enabled: false,
    consecutive_failures: 12,
    disabled_reason: expect.stringMatching(/12/),
  });
  expect(await world.attempts(id)).toHaveLength(12);
});

test.each([1, 4, 8, 11])(
  'after %d failures, of 60 events due in three processes no attempt starts after the twelfth failure',
  async (before) => {
    const receiver = await world.receiver(
      (_, response) => void setTimeout(() => response.writeHead(500).end(), 10),
    );
    const { id } = await world.endpoint(receiver.url);
    await fail(id, before);
    await world.emit(60);
    const started: number[] = [];
    const { http } = world.session.ports;
    const observed: typeof http = {
      ...http,
      request: (request) => {
        started.push(performance.now());
        return http.request(request);
      },
    };
    const sessions = [1, 2, 3].map(() => world.newSession({ http: observed }));
    const disabled = { at: 0 };
    const watch = eventually(
      'the endpoint is disabled',
      async () => !(await endpoint(id)).enabled && (disabled.at = performance.now()),
      1,
    );
    while (disabled.at === 0) await Promise.all(sessions.map((session) => session.run(id)));
    await watch;
    await Promise.all(sessions.map((session) => session.drain(5_000)));
    expect(started.length).toBeGreaterThanOrEqual(12 - before);
    expect(started.filter((time) => time > disabled.at)).toEqual([]);
    expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
    // Every attempt that was made has its row, and no other.
    const rows = await world.attempts(id);
    expect(rows).toHaveLength(receiver.seen.length);
    expect(new Set(rows.map((row) => row.id))).toEqual(
      new Set(receiver.seen.map(({ headers }) => headers['service-delivery'])),
    );
    expect(await waiting()).toBe(0);
    world.clock.advance(DAY);
    for (const session of sessions) await session.run(id);
    expect(receiver.seen).toHaveLength(rows.length);
  },
);

test('one process starts exactly as many as are left to the twelfth failure', async () => {
  const receiver = await world.receiver(500);
  const { id } = await world.endpoint(receiver.url);
  await fail(id, 5);
  await world.emit(40);
  await world.deliver(id);
  expect(receiver.seen).toHaveLength(12);
  expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
});

test('it is disabled once: one audit row and one new version', async () => {
  const { id } = await world.endpoint((await world.receiver(500)).url);
  await world.emit(40);
  await Promise.all([1, 2, 3].map(() => world.newSession().run(id)));
  await eventually('the endpoint is disabled', async () => !(await endpoint(id)).enabled);
  const answer = await world.request('GET', `/webhooks/${id}`);
  expect(answer.headers.get('etag')).toBe('W/"2"');
  const { rows } = await world.api.db.pool.query(
    `select action, details from audit_log where target_id = $1 and action = 'webhook.disable'`,
    [id],
  );
  expect(rows).toMatchObject([{ details: { reason: answer.data.disabled_reason } }]);
});

test('any 2xx resets the counter to zero', async () => {
  let status = 500;
  const { id } = await world.endpoint(
    (await world.receiver((_, response) => void response.writeHead(status).end())).url,
  );
  for (const _ of [1, 2, 3]) {
    status = 500;
    await fail(id, 11);
    status = 202;
    await world.emit();
    await world.deliver(id);
    expect(await endpoint(id)).toMatchObject({ enabled: true, consecutive_failures: 0 });
  }
});

test('an attempt under way at the twelfth failure finishes and is logged, and changes nothing', async () => {
  const gate: (() => void)[] = [];
  const receiver = await world.receiver((_, response, count) => {
    if (count === 1) gate.push(() => response.end());
    else response.writeHead(500).end();
  });
  const { id } = await world.endpoint(receiver.url);
  await world.emit();
  await world.session.run(id);
  await world.emit(12);
  for (let runs = 0; (await endpoint(id)).enabled; runs += 1) {
    expect(runs).toBeLessThan(20);
    await world.session.run(id);
  }
  gate[0]!();
  await world.session.drain(5_000);
  const rows = await world.attempts(id);
  expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  expect(rows).toHaveLength(13);
  expect(await endpoint(id)).toMatchObject({ enabled: false, consecutive_failures: 12 });
  expect(await waiting()).toBe(0);
});

describe('in mid-flight', () => {
  const hanging = async () => {
    const gate: (() => void)[] = [];
    const receiver = await world.receiver((_, response) => {
      gate.push(() => response.writeHead(500).end());
    });
    const { id } = await world.endpoint(receiver.url);
    await world.emit();
    await world.session.run(id);
    expect(gate).toHaveLength(1);
    const finish = async () => {
      gate[0]!();
      await world.session.drain(5_000);
      world.clock.advance(DAY);
      await world.session.run(id);
    };
    return { id, receiver, finish };
  };

  test('a deletion ends the retries, and the answer that comes later is nobody’s any more', async () => {
    const { id, receiver, finish } = await hanging();
    expect((await world.request('DELETE', `/webhooks/${id}`)).status).toBe(204);
    await finish();
    expect(receiver.seen).toHaveLength(1);
    expect([await world.attempts(id), await waiting()]).toEqual([[], 0]);
  });

  test('a disabling by hand lets the attempt finish, logs it without a next one, and ends the retries', async () => {
    const { id, receiver, finish } = await hanging();
    await world.request('PATCH', `/webhooks/${id}`, { enabled: false });
    await finish();
    expect(receiver.seen).toHaveLength(1);
    expect(await world.attempts(id)).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    expect((await endpoint(id)).consecutive_failures).toBe(0);
    await world.request('PATCH', `/webhooks/${id}`, { enabled: true });
    await world.session.run(id);
    expect([receiver.seen.length, await waiting()]).toEqual([1, 0]);
  });

  test('a pause sends nothing and keeps what waits; resumed, it is sent', async () => {
    const { setPaused } = await import('../../domain/webhooks/queue.ts');
    const receiver = await world.receiver();
    const { id } = await world.endpoint(receiver.url);
    await setPaused(world.api.db, id, true);
    await world.emit(3);
    await world.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([0, 3]);
    await setPaused(world.api.db, id, false);
    await world.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([3, 0]);
  });
});
