import { createWebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import { operator } from '../../domain/audit/record.ts';
import { deleteOldEvents } from '../../domain/events/log.ts';
import { queueRedelivery } from '../../domain/webhooks/redelivery.ts';
import { byOperator, findEndpointForUpdate } from '../../domain/webhooks/endpoint.ts';
import { claimDue, LEASE_MS, setPaused, settleInterrupted } from '../../domain/webhooks/queue.ts';
import { findOverdueEndpoints } from '../../domain/webhooks/overdue.ts';
import { recordResults } from '../../domain/webhooks/results.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
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

/** For what looks at the endpoints and events of all Sites. */
async function onOwnDatabase(): Promise<void> {
  await stack.close();
  stack = await startWebhooks();
}

const waiting = () => stack.waiting();
/** Claims what is due and does nothing with it, like a process that is killed. */
const die = (id: string) =>
  claimDue(stack.api.db, id, { inFlight: 48, atMost: 48, bytes: 2 ** 22, alone: true }, stack.clock.now());

describe('an attempt whose process died and whose row has left the queue', () => {
  const patch = (id: string, body: object) => stack.request('PATCH', `/webhooks/${id}`, body);
  const failTwelveTimes = async (id: string): Promise<void> => {
    await stack.emit(12);
    await stack.deliver(id);
    expect((await stack.request('GET', `/webhooks/${id}`)).data.enabled).toBe(false);
  };

  test.each([
    ['disabled', (id: string) => patch(id, { enabled: false })],
    [
      'disabled and enabled',
      (id: string) => patch(id, { enabled: false }).then(() => patch(id, { enabled: true })),
    ],
    ['disabled by its twelfth failure', failTwelveTimes],
  ])('is logged once its lease ends: the endpoint was %s', async (_, take) => {
    const { id } = await stack.endpoint((await stack.receiver(500)).url);
    await stack.emit(3);
    const claimed = await die(id);
    const attemptedAt = (await waiting())[0].leased_at;
    await take(id);
    expect(await waiting()).toEqual([]);
    await stack.deliver(id);
    // Until the lease ends, its holder may be alive.
    expect((await stack.attempts(id)).filter(({ error }) => error === 'interrupted')).toEqual([]);
    stack.clock.advance(LEASE_MS + 1);
    await Promise.all([1, 2, 3].map(() => stack.newSession().run(id)));
    const rows = (await stack.attempts(id)).filter(({ error }) => error === 'interrupted');
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

  test('is logged in addition to the redelivery that replaced it, which starts at attempt 1', async () => {
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url);
    const [eventId] = await stack.emit();
    await stack.deliver(id);
    const [first] = await stack.attempts(id);
    const again = () => stack.request('POST', `/webhooks/${id}/deliveries/${first.id}/redeliver`);
    const died: string[] = [];
    for (const _ of [1, 2]) {
      expect((await again()).status).toBe(202);
      const [claimed] = await die(id);
      died.push(claimed!.delivery_id);
    }
    await again();
    await stack.deliver(id);
    expect(receiver.seen).toHaveLength(2);
    stack.clock.advance(LEASE_MS + 1);
    await stack.deliver(id);
    await stack.deliver(id);
    const rows = await stack.attempts(id);
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

  test('its late answer adds no second row and does not count, whether it arrives before or after the interruption is recorded', async () => {
    const answers: (() => void)[] = [];
    const receiver = await stack.receiver((_, response) => answers.push(() => response.writeHead(500).end()));
    const { id } = await stack.endpoint(receiver.url);
    await stack.emit();
    await stack.session.run(id);
    await eventually('it is in flight', () => answers.length === 1);
    await patch(id, { enabled: false });
    await patch(id, { enabled: true });
    stack.clock.advance(LEASE_MS + 1);
    await stack.newSession().run(id);
    answers[0]!();
    await stack.session.drain(DRAINED_MS);
    expect(await stack.attempts(id)).toMatchObject([
      { error: 'interrupted', response_status: null, attempt: 1 },
    ]);
    expect((await stack.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(0);
    // The holder is alive and was answered within its lease: the row has the answer.
    await stack.emit();
    await stack.session.run(id);
    await eventually('it is in flight', () => answers.length === 2);
    await patch(id, { enabled: false });
    answers[1]!();
    await stack.session.drain(DRAINED_MS);
    stack.clock.advance(LEASE_MS + 1);
    await stack.newSession().run(id);
    const rows = await stack.attempts(id);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ error: null, response_status: 500, attempt: 1, next_attempt_at: null });
  });

  test('attempts answered just as they are recorded as interrupted have one row, and count once', async () => {
    const { id } = await stack.endpoint((await stack.receiver()).url);
    for (let round = 1; round <= 10; round += 1) {
      await stack.emit(6);
      const claimed = await die(id);
      stack.clock.advance(LEASE_MS + 1);
      const now = stack.clock.now();
      const { db } = stack.api;
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
        db.transaction((tx) =>
          recordResults(tx, id, ended, { retryDelays: defaultRetryDelays, now, sure: true }),
        ),
        db.transaction((tx) => settleInterrupted(tx, id, now)),
      ]);
      const rows = (await stack.attempts(id)).filter((row) =>
        claimed.some((each) => each.delivery_id === row.id),
      );
      expect(rows).toHaveLength(6);
      const [winner] = rows;
      expect(rows.every(({ status }) => status === winner.status)).toBe(true);
      const { consecutive_failures } = (await stack.request('GET', `/webhooks/${id}`)).data;
      expect(consecutive_failures).toBe(winner.status === 'succeeded' ? 0 : 1);
      expect((await waiting()).map(({ attempt }) => attempt)).toEqual(
        winner.status === 'succeeded' ? [] : [2, 2, 2, 2, 2, 2],
      );
      await db.pool.query('delete from webhook_queue where endpoint_id = $1', [id]);
    }
  });

  test('its workflow waits for it, even if the endpoint is disabled or paused', async () => {
    const { id } = await stack.endpoint((await stack.receiver()).url);
    await stack.emit();
    await die(id);
    await patch(id, { enabled: false });
    const { deliverDue } = createWebhookEndpointActivities(stack.session);
    const state = await deliverDue(id);
    expect(state).toMatchObject({ enabled: false, waiting: 0 });
    const lease = Date.parse(state.leaseEndsAt!) - stack.clock.now().getTime();
    expect(lease).toBeGreaterThan(0);
    expect(lease).toBeLessThanOrEqual(LEASE_MS);
    stack.clock.advance(LEASE_MS + 1);
    expect(await deliverDue(id)).toMatchObject({ leaseEndsAt: null, lastError: 'interrupted' });
  });

  test('is found by the poll if its workflow is gone', async () => {
    await onOwnDatabase();
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await stack.endpoint((await stack.receiver()).url)).id);
    const [disabled, paused, enabled] = ids as [string, string, string];
    await stack.emit();
    for (const id of ids) await die(id);
    await patch(disabled, { enabled: false });
    await stack.api.db.transaction((tx) => setPaused(tx, operator, paused, true, stack.clock.now()));
    const overdue = async () =>
      (await findOverdueEndpoints(stack.api.db, stack.clock.now(), 1_000)).endpoints.map(({ id }) => id);
    expect(await overdue()).toEqual([]);
    stack.clock.advance(LEASE_MS + 1_001);
    expect([...(await overdue())].sort()).toEqual([disabled, paused, enabled].sort());
    for (const id of ids) await stack.session.run(id);
    await stack.session.drain(DRAINED_MS);
    expect(await overdue()).toEqual([]);
    for (const id of ids)
      expect((await stack.attempts(id))[0]).toMatchObject({ attempt: 1, error: 'interrupted' });
    expect(await stack.attempts(paused)).toHaveLength(1);
  });

  test('counts as in flight until its lease ends: no attempt starts that could be the thirteenth', async () => {
    const { id } = await stack.endpoint((await stack.receiver(500)).url);
    await stack.api.db.pool.query('update webhook_endpoints set consecutive_failures = 9 where id = $1', [
      id,
    ]);
    const events = await stack.emit(3);
    expect(await die(id)).toHaveLength(3);
    await stack.api.db.transaction(async (tx) => {
      const endpoint = await findEndpointForUpdate(tx, id);
      const change = byOperator(tx, endpoint!, stack.clock.now());
      for (const event of events) await queueRedelivery(change, endpoint!, event);
    });
    expect(await die(id)).toEqual([]);
    stack.clock.advance(LEASE_MS + 1);
    await stack.api.db.transaction((tx) => settleInterrupted(tx, id, stack.clock.now()));
    expect(await die(id)).toHaveLength(3);
  });

  test('is logged even if its event is deleted at the end of its 30 days', async () => {
    await onOwnDatabase();
    const { id } = await stack.endpoint((await stack.receiver()).url);
    const [eventId] = await stack.emit();
    stack.clock.advance(30 * DAY);
    await die(id);
    const sweep = () => stack.api.db.transaction((tx) => deleteOldEvents(tx, stack.clock.now(), 100));
    expect(await sweep()).toBe(0);
    stack.clock.advance(LEASE_MS + 1);
    await stack.api.db.transaction((tx) => settleInterrupted(tx, id, stack.clock.now()));
    expect(await sweep()).toBe(1);
    expect(await stack.attempts(id)).toMatchObject([{ event_id: eventId, error: 'interrupted' }]);
  });
});
