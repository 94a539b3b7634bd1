import { createWebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import type { Database } from '../../db/database.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { claimDue, LEASE_MS, settleInterrupted } from '../../domain/webhooks/queue.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { DRAINED_MS, startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let stack: WebhookStack;

beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(() => stack.close());

const waiting = () => stack.waiting();
/** Claims what is due and does nothing with it, like a process that is killed. */
const die = (id: string) =>
  claimDue(stack.api.db, id, { inFlight: 48, atMost: 48, bytes: 2 ** 22, alone: true }, stack.clock.now());

describe('a delivery that a worker is claiming', () => {
  test('is passed over by another worker, which claims the next one without waiting', async () => {
    const { id } = await stack.endpoint((await stack.receiver()).url);
    const events = await stack.emit(2);
    const limits = { inFlight: 48, atMost: 1, bytes: 2 ** 22, alone: true };
    const claimed = await stack.api.db.transaction(async (tx) => [
      ...(await claimDue(tx, id, limits, stack.clock.now())),
      // The first claim has not committed yet.
      ...(await claimDue(stack.api.db, id, limits, stack.clock.now())),
    ]);
    expect(claimed.map(({ event_id }) => event_id)).toEqual(events);
  });
});

describe('an attempt whose process died', () => {
  test('is logged once as failed and interrupted, and the next starts under the next number', async () => {
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url);
    const [eventId] = await stack.emit();
    const [claimed] = await die(id);
    await stack.deliver(id);
    // Until the lease ends, its holder may be alive.
    expect(receiver.seen).toHaveLength(0);
    stack.clock.advance(LEASE_MS + 1);
    const sessions = [stack.newSession(), stack.newSession(), stack.newSession()];
    await Promise.all(sessions.map((session) => session.run(id)));
    await eventually('it is recorded', async () => (await waiting()).length === 0);
    const [first, second] = await stack.attempts(id);
    expect(first).toMatchObject({
      id: claimed!.delivery_id,
      event_id: eventId,
      attempt: 1,
      status: 'failed',
      error: 'interrupted',
      response_status: null,
    });
    expect(second).toMatchObject({ event_id: eventId, attempt: 2, status: 'succeeded' });
    expect(await stack.attempts(id)).toHaveLength(2);
    expect(receiver.seen.map(({ headers }) => headers['service-attempt'])).toEqual(['2']);
  });

  test('says nothing about the receiver: the failure counter stays', async () => {
    const { id } = await stack.endpoint((await stack.receiver(500)).url);
    await stack.emit(20);
    await die(id);
    stack.clock.advance(LEASE_MS + 1);
    await stack.request('PATCH', `/webhooks/${id}`, { url: 'https://unreachable.example/' });
    await stack.api.db.transaction((tx) => settleInterrupted(tx, id, stack.clock.now()));
    expect(await stack.attempts(id)).toHaveLength(20);
    expect((await stack.request('GET', `/webhooks/${id}`)).data).toMatchObject({
      enabled: true,
      consecutive_failures: 0,
    });
  });

  test('is the last one if it was the sixth', async () => {
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url);
    await stack.emit();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect(await die(id)).toMatchObject([{ attempt }]);
      stack.clock.advance(LEASE_MS + 1);
      if (attempt < 6) {
        await stack.api.db.transaction((tx) => settleInterrupted(tx, id, stack.clock.now()));
      }
    }
    await stack.deliver(id);
    const rows = await stack.attempts(id);
    expect(rows.map(({ attempt, error }) => [attempt, error])).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => [attempt, 'interrupted']),
    );
    expect(rows.at(-1).next_attempt_at).toBeNull();
    expect([await waiting(), receiver.seen.length]).toEqual([[], 0]);
  });

  test('an attempt that cannot be made, such as one whose secret cannot be opened, uses up no attempt and stops no other delivery', async () => {
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url);
    await stack.emit();
    const wrong = createSecretBox(Buffer.alloc(32, 7));
    let tries = 0;
    const open: typeof wrong.open = (...sealed) => {
      tries += 1;
      return wrong.open(...sealed);
    };
    const session = stack.newSession({ box: { ...wrong, open } });
    // More often than a delivery has attempts.
    for (let time = 1; time <= 8; time += 1) {
      // Each time, the session rests for a moment.
      await eventually('it is tried', async () => {
        await session.run(id);
        return tries === time;
      });
      await session.drain(DRAINED_MS);
      expect(await waiting()).toMatchObject([{ attempt: 1, delivery_id: null }]);
      stack.clock.advance(LEASE_MS + 60_000);
    }
    expect(await stack.attempts(id)).toEqual([]);
    await stack.deliver(id);
    expect(await stack.attempts(id)).toMatchObject([{ attempt: 1, status: 'succeeded' }]);
  });
});

test('due deliveries that wait for attempts elsewhere are not polled in a busy loop', async () => {
  const { id } = await stack.endpoint((await stack.receiver(500)).url);
  await stack.emit(30);
  await stack.api.db.pool.query('update webhook_endpoints set consecutive_failures = 1 where id = $1', [id]);
  expect(await die(id)).toHaveLength(11);
  const { deliverDue } = createWebhookEndpointActivities(stack.session);
  const begun = stack.clock.now().getTime();
  const state = await deliverDue(id);
  expect(state).toMatchObject({ waiting: 30, consecutiveFailures: 1 });
  expect(Date.parse(state.nextAt!) - begun).toBeGreaterThan(200);
  expect(await stack.attempts(id)).toEqual([]);
});

describe('a redelivery', () => {
  test('while an attempt is in flight starts at once, from attempt 1; the late answer is logged and changes nothing', async () => {
    const gate: (() => void)[] = [];
    const receiver = await stack.receiver((_, response, count) => {
      if (count === 2) gate.push(() => response.writeHead(500).end());
      else response.writeHead(count === 1 ? 500 : 200).end();
    });
    const { id } = await stack.endpoint(receiver.url);
    const [eventId] = await stack.emit();
    await stack.deliver(id);
    const [first] = await stack.attempts(id);
    stack.clock.advance(12_500);
    await stack.session.run(id);
    await eventually('it is in flight', () => receiver.seen.length === 2);
    const again = await stack.request('POST', `/webhooks/${id}/deliveries/${first.id}/redeliver`);
    expect(again.status).toBe(202);
    await stack.session.run(id);
    await eventually('it is sent at once', () => receiver.seen.length === 3);
    expect(receiver.seen.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '1']);
    gate[0]!();
    await stack.session.drain(DRAINED_MS);
    const rows = await stack.attempts(id);
    expect(rows).toHaveLength(3);
    expect(rows.every(({ event_id }) => event_id === eventId)).toBe(true);
    expect(rows.find(({ attempt }) => attempt === 2)).toMatchObject({ status: 'failed', redelivery: false });
    expect(rows.find(({ redelivery }) => redelivery)).toMatchObject({ status: 'succeeded', attempt: 1 });
    stack.clock.advance(DAY);
    await stack.deliver(id);
    expect([receiver.seen.length, await waiting()]).toEqual([3, []]);
  });
});

describe('a database that fails while results are recorded', () => {
  /** A database whose recording transactions fail once armed: before they commit, or after. */
  const failing = (when: 'before' | 'after', times: number) => {
    let left = times;
    let armed = false;
    const { db } = stack.api;
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
    const receiver = await stack.receiver((_seen, response) => {
      arm();
      response.writeHead(500).end();
    });
    const { id } = await stack.endpoint(receiver.url);
    await stack.emit(5);
    const session = stack.newSession({ db: proxy });
    await session.run(id);
    await session.drain(DRAINED_MS);
    expect(left()).toBe(0);
    expect(await stack.attempts(id)).toHaveLength(5);
    expect((await stack.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(5);
    expect(await waiting()).toMatchObject(
      Array.from({ length: 5 }, () => ({ attempt: 2, delivery_id: null })),
    );
    expect(receiver.seen).toHaveLength(5);
    expect(session.poke(id)).toBe(false);
  });
});
