import { createDeliveryActivities } from '../../activities/delivering.ts';
import type { Database } from '../../db/database.ts';
import { createSecretBox } from '../../domain/secret-box.ts';
import { claimDue, LEASE_MS, settleInterrupted } from '../../domain/webhooks/queue.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookWorld } from '../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let world: WebhookWorld;

beforeEach(async () => {
  world = await startWebhooks();
});
afterEach(() => world.close());

const waiting = async (): Promise<any[]> =>
  (await world.api.db.pool.query('select * from webhook_queue')).rows;
/** Takes what is due and does nothing with it, as a process does that is killed. */
const die = (id: string) => claimDue(world.api.db, id, { underWay: 48, atMost: 48 }, world.clock.now());

describe('an attempt whose process died', () => {
  test('is logged once as failed and interrupted, and the next starts under the next number', async () => {
    const receiver = await world.receiver();
    const { id } = await world.endpoint(receiver.url);
    const [eventId] = await world.emit();
    const [claimed] = await die(id);
    await world.deliver(id);
    // As long as the lease runs, the one that holds it may be alive.
    expect(receiver.seen).toHaveLength(0);
    world.clock.advance(LEASE_MS + 1);
    const sessions = [world.newSession(), world.newSession(), world.newSession()];
    await Promise.all(sessions.map((session) => session.run(id)));
    await eventually('it is recorded', async () => (await waiting()).length === 0);
    const [first, second] = await world.attempts(id);
    expect(first).toMatchObject({
      id: claimed!.delivery_id,
      event_id: eventId,
      attempt: 1,
      status: 'failed',
      error: 'interrupted',
      response_status: null,
    });
    expect(second).toMatchObject({ event_id: eventId, attempt: 2, status: 'succeeded' });
    expect(await world.attempts(id)).toHaveLength(2);
    expect(receiver.seen.map(({ headers }) => headers['service-attempt'])).toEqual(['2']);
  });

  test('says nothing of the receiver: the failure counter stays', async () => {
    const { id } = await world.endpoint((await world.receiver(500)).url);
    await world.emit(20);
    await die(id);
    world.clock.advance(LEASE_MS + 1);
    await world.request('PATCH', `/webhooks/${id}`, { url: 'https://unreachable.example/' });
    await world.api.db.transaction((tx) => settleInterrupted(tx, id, world.clock.now()));
    expect(await world.attempts(id)).toHaveLength(20);
    expect((await world.request('GET', `/webhooks/${id}`)).data).toMatchObject({
      enabled: true,
      consecutive_failures: 0,
    });
  });

  test('was the last where it was the sixth', async () => {
    const receiver = await world.receiver();
    const { id } = await world.endpoint(receiver.url);
    await world.emit();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect(await die(id)).toMatchObject([{ attempt }]);
      world.clock.advance(LEASE_MS + 1);
      if (attempt < 6) {
        await world.api.db.transaction((tx) => settleInterrupted(tx, id, world.clock.now()));
      }
    }
    await world.deliver(id);
    const rows = await world.attempts(id);
    expect(rows.map(({ attempt, error }) => [attempt, error])).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => [attempt, 'interrupted']),
    );
    expect(rows.at(-1).next_attempt_at).toBeNull();
    expect([await waiting(), receiver.seen.length]).toEqual([[], 0]);
  });

  test('an attempt that cannot even be made, such as one whose secret cannot be opened, ends like it, and stops nobody else', async () => {
    const receiver = await world.receiver();
    const { id } = await world.endpoint(receiver.url);
    await world.emit();
    const session = world.newSession({ box: createSecretBox(Buffer.alloc(32, 7)) });
    await session.run(id);
    await session.drain(1_000);
    world.clock.advance(LEASE_MS + 1);
    await world.deliver(id);
    expect((await world.attempts(id)).map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, 'interrupted'],
      [2, null],
    ]);
  });
});

test('what is due and held up by attempts elsewhere is not looked at again at once, so that its process does not spin', async () => {
  const { id } = await world.endpoint((await world.receiver(500)).url);
  await world.emit(30);
  await world.api.db.pool.query('update webhook_endpoints set consecutive_failures = 1 where id = $1', [id]);
  expect(await die(id)).toHaveLength(11);
  const { deliverDue } = createDeliveryActivities(world.session);
  const begun = world.clock.now().getTime();
  const state = await deliverDue(id);
  expect(state).toMatchObject({ waiting: 30, consecutiveFailures: 1 });
  expect(Date.parse(state.nextAt!) - begun).toBeGreaterThan(200);
  expect(await world.attempts(id)).toEqual([]);
});

describe('a redelivery', () => {
  test('while an attempt is under way starts at once, from attempt 1; the late answer is logged and changes nothing', async () => {
    const gate: (() => void)[] = [];
    const receiver = await world.receiver((_, response, count) => {
      if (count === 2) gate.push(() => response.writeHead(500).end());
      else response.writeHead(count === 1 ? 500 : 200).end();
    });
    const { id } = await world.endpoint(receiver.url);
    const [eventId] = await world.emit();
    await world.deliver(id);
    const [first] = await world.attempts(id);
    world.clock.advance(12_500);
    await world.session.run(id);
    expect(receiver.seen).toHaveLength(2);
    const again = await world.request('POST', `/webhooks/${id}/deliveries/${first.id}/redeliver`);
    expect(again.status).toBe(202);
    await world.session.run(id);
    expect(receiver.seen.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '1']);
    gate[0]!();
    await world.session.drain(5_000);
    const rows = await world.attempts(id);
    expect(rows).toHaveLength(3);
    expect(rows.every(({ event_id }) => event_id === eventId)).toBe(true);
    expect(rows.find(({ attempt }) => attempt === 2)).toMatchObject({ status: 'failed', redelivery: false });
    expect(rows.find(({ redelivery }) => redelivery)).toMatchObject({ status: 'succeeded', attempt: 1 });
    world.clock.advance(DAY);
    await world.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([3, []]);
  });
});

describe('a database that fails while results are recorded', () => {
  /** The database, failing the transactions that record while it is told to: before they commit, or after. */
  const failing = (when: 'before' | 'after', times: number) => {
    let left = times;
    let armed = false;
    const { db } = world.api;
    const proxy: Database = {
      ...db,
      async transaction(work) {
        if (armed && left > 0) {
          left -= 1;
          if (when === 'after') await db.transaction(work);
          throw new Error('the connection broke');
        }
        return db.transaction(work);
      },
    };
    return { proxy, arm: () => (armed = true), left: () => left };
  };

  test.each([
    ['before the commit', 'before'],
    ['after the commit, whose answer was lost', 'after'],
  ] as const)('%s: each attempt is logged once and counted once', async (_, when) => {
    const { proxy, arm, left } = failing(when, 2);
    const receiver = await world.receiver((_seen, response) => {
      arm();
      response.writeHead(500).end();
    });
    const { id } = await world.endpoint(receiver.url);
    await world.emit(5);
    const session = world.newSession({ db: proxy });
    await session.run(id);
    await session.drain(5_000);
    expect(left()).toBe(0);
    expect(await world.attempts(id)).toHaveLength(5);
    expect((await world.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(5);
    expect(await waiting()).toMatchObject(
      Array.from({ length: 5 }, () => ({ attempt: 2, delivery_id: null })),
    );
    expect(receiver.seen).toHaveLength(5);
    expect(session.poke(id)).toBe(false);
  });
});
