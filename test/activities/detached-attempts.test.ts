import { createDeliveryActivities } from '../../activities/delivering.ts';
import { deleteOldEvents } from '../../domain/event-log.ts';
import { redeliverEvent } from '../../domain/webhooks/again.ts';
import { findEndpointForChange } from '../../domain/webhooks/endpoint.ts';
import {
  claimDue,
  findOverdueEndpoints,
  LEASE_MS,
  setPaused,
  settleInterrupted,
} from '../../domain/webhooks/queue.ts';
import { recordResults } from '../../domain/webhooks/results.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
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

describe('an attempt whose process died and whose place in the queue is gone', () => {
  const patch = (id: string, body: object) => world.request('PATCH', `/webhooks/${id}`, body);
  const failTwelveTimes = async (id: string): Promise<void> => {
    await world.emit(12);
    await world.deliver(id);
    expect((await world.request('GET', `/webhooks/${id}`)).data.enabled).toBe(false);
  };

  test.each([
    ['disabled', (id: string) => patch(id, { enabled: false })],
    [
      'disabled and enabled',
      (id: string) => patch(id, { enabled: false }).then(() => patch(id, { enabled: true })),
    ],
    ['disabled by its twelfth failure', failTwelveTimes],
  ])('is logged once its lease is over: the endpoint was %s', async (_, take) => {
    const { id } = await world.endpoint((await world.receiver(500)).url);
    await world.emit(3);
    const claimed = await die(id);
    const attemptedAt = (await waiting())[0].leased_at;
    await take(id);
    expect(await waiting()).toEqual([]);
    await world.deliver(id);
    // As long as the lease runs, the one that holds it may be alive.
    expect((await world.attempts(id)).filter(({ error }) => error === 'interrupted')).toEqual([]);
    world.clock.advance(LEASE_MS + 1);
    await Promise.all([1, 2, 3].map(() => world.newSession().run(id)));
    const rows = (await world.attempts(id)).filter(({ error }) => error === 'interrupted');
    expect(rows.map((row) => row.id).sort()).toEqual(claimed.map((row) => row.delivery_id).sort());
    for (const row of rows)
      expect(row).toMatchObject({
        attempt: 1,
        status: 'failed',
        response_status: null,
        attempted_at: attemptedAt,
        next_attempt_at: null,
        redelivery: false,
      });
    expect(await waiting()).toEqual([]);
  });

  test('is logged beside the redelivery that took its place, which begins at attempt 1', async () => {
    const receiver = await world.receiver();
    const { id } = await world.endpoint(receiver.url);
    const [eventId] = await world.emit();
    await world.deliver(id);
    const [first] = await world.attempts(id);
    const again = () => world.request('POST', `/webhooks/${id}/deliveries/${first.id}/redeliver`);
    const died: string[] = [];
    for (const _ of [1, 2]) {
      expect((await again()).status).toBe(202);
      const [claimed] = await die(id);
      died.push(claimed!.delivery_id);
    }
    await again();
    await world.deliver(id);
    expect(receiver.seen).toHaveLength(2);
    world.clock.advance(LEASE_MS + 1);
    await world.deliver(id);
    await world.deliver(id);
    const rows = await world.attempts(id);
    expect(rows).toHaveLength(4);
    expect(
      rows
        .filter(({ error }) => error === 'interrupted')
        .map((row) => row.id)
        .sort(),
    ).toEqual(died.sort());
    expect(rows.every((row) => row.event_id === eventId && row.attempt === 1)).toBe(true);
    expect(receiver.seen).toHaveLength(2);
  });

  test('its late answer makes no second row and does not count, whether it comes before or after that is known', async () => {
    const answers: (() => void)[] = [];
    const receiver = await world.receiver((_, response) => answers.push(() => response.writeHead(500).end()));
    const { id } = await world.endpoint(receiver.url);
    await world.emit();
    await world.session.run(id);
    await patch(id, { enabled: false });
    await patch(id, { enabled: true });
    world.clock.advance(LEASE_MS + 1);
    await world.newSession().run(id);
    answers[0]!();
    await world.session.drain(5_000);
    expect(await world.attempts(id)).toMatchObject([
      { error: 'interrupted', response_status: null, attempt: 1 },
    ]);
    expect((await world.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(0);
    // Alive, and answered within its lease: the row says what came.
    await world.emit();
    await world.session.run(id);
    await patch(id, { enabled: false });
    answers[1]!();
    await world.session.drain(5_000);
    world.clock.advance(LEASE_MS + 1);
    await world.newSession().run(id);
    const rows = await world.attempts(id);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ error: null, response_status: 500, attempt: 1, next_attempt_at: null });
  });

  test('answers that come just as they count as interrupted are recorded or interrupted, never both, and count once', async () => {
    const { id } = await world.endpoint((await world.receiver()).url);
    for (let round = 1; round <= 10; round += 1) {
      await world.emit(6);
      const claimed = await die(id);
      world.clock.advance(LEASE_MS + 1);
      const now = world.clock.now();
      const { db } = world.api;
      const ended = claimed.map((delivery) => ({
        delivery,
        succeeded: true,
        responseStatus: 200,
        error: null,
        durationMs: 1,
        attemptedAt: now,
      }));
      await db.pool.query('update webhook_endpoints set consecutive_failures = 1 where id = $1', [id]);
      await Promise.all([
        db.transaction((tx) => settleInterrupted(tx, id, now)),
        db.transaction((tx) => recordResults(tx, id, ended, defaultRetryDelays, now)),
        db.transaction((tx) => settleInterrupted(tx, id, now)),
      ]);
      const rows = (await world.attempts(id)).filter((row) =>
        claimed.some((each) => each.delivery_id === row.id),
      );
      expect(rows).toHaveLength(6);
      const [winner] = rows;
      expect(rows.every(({ status }) => status === winner.status)).toBe(true);
      const { consecutive_failures } = (await world.request('GET', `/webhooks/${id}`)).data;
      expect(consecutive_failures).toBe(winner.status === 'succeeded' ? 0 : 1);
      expect((await waiting()).map(({ attempt }) => attempt)).toEqual(
        winner.status === 'succeeded' ? [] : [2, 2, 2, 2, 2, 2],
      );
      await db.pool.query('delete from webhook_queue');
    }
  });

  test('its workflow waits for it, also where the endpoint is disabled or paused', async () => {
    const { id } = await world.endpoint((await world.receiver()).url);
    await world.emit();
    await die(id);
    await patch(id, { enabled: false });
    const { deliverDue } = createDeliveryActivities(world.session);
    const state = await deliverDue(id);
    expect(state).toMatchObject({ enabled: false, waiting: 0 });
    const lease = Date.parse(state.leaseEndsAt!) - world.clock.now().getTime();
    expect(lease).toBeGreaterThan(0);
    expect(lease).toBeLessThanOrEqual(LEASE_MS);
    world.clock.advance(LEASE_MS + 1);
    expect(await deliverDue(id)).toMatchObject({ leaseEndsAt: null, lastError: 'interrupted' });
  });

  test('whose workflow is gone is found by the poll', async () => {
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await world.endpoint((await world.receiver()).url)).id);
    const [disabled, paused, enabled] = ids as [string, string, string];
    await world.emit();
    for (const id of ids) await die(id);
    await patch(disabled, { enabled: false });
    await setPaused(world.api.db, paused, true);
    const overdue = () => findOverdueEndpoints(world.api.db, world.clock.now(), 1_000);
    expect(await overdue()).toEqual([]);
    world.clock.advance(LEASE_MS + 1_001);
    expect([...(await overdue())].sort()).toEqual([disabled, paused, enabled].sort());
    for (const id of ids) await world.session.run(id);
    await world.session.drain(5_000);
    expect(await overdue()).toEqual([]);
    for (const id of ids)
      expect((await world.attempts(id))[0]).toMatchObject({ attempt: 1, error: 'interrupted' });
    expect(await world.attempts(paused)).toHaveLength(1);
  });

  test('counts as under way as long as its lease runs: none starts that could be the thirteenth', async () => {
    const { id } = await world.endpoint((await world.receiver(500)).url);
    await world.api.db.pool.query('update webhook_endpoints set consecutive_failures = 9 where id = $1', [
      id,
    ]);
    const events = await world.emit(3);
    expect(await die(id)).toHaveLength(3);
    await world.api.db.transaction(async (tx) => {
      const endpoint = await findEndpointForChange(tx, id);
      for (const event of events) await redeliverEvent(tx, endpoint!, event, world.clock.now());
    });
    expect(await die(id)).toEqual([]);
    world.clock.advance(LEASE_MS + 1);
    await world.api.db.transaction((tx) => settleInterrupted(tx, id, world.clock.now()));
    expect(await die(id)).toHaveLength(3);
  });

  test('of an event at the end of its 30 days is not lost with the event', async () => {
    const { id } = await world.endpoint((await world.receiver()).url);
    const [eventId] = await world.emit();
    world.clock.advance(30 * DAY);
    await die(id);
    const sweep = () => world.api.db.transaction((tx) => deleteOldEvents(tx, world.clock.now(), 100));
    expect(await sweep()).toBe(0);
    world.clock.advance(LEASE_MS + 1);
    await world.api.db.transaction((tx) => settleInterrupted(tx, id, world.clock.now()));
    expect(await sweep()).toBe(1);
    expect(await world.attempts(id)).toMatchObject([{ event_id: eventId, error: 'interrupted' }]);
  });
});
