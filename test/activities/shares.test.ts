import { randomUUID } from 'node:crypto';
import { Bodies } from '../../activities/webhook-endpoint/bodies.ts';
import { Slots } from '../../activities/webhook-endpoint/slots.ts';
import { findOverdueEndpoints } from '../../domain/webhooks/overdue.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import { eventually } from '../support/eventually.ts';
import { DRAINED_MS, patient, startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

const MIB = 2 ** 20;

let stack: WebhookStack;

beforeEach(async () => {
  stack = await startWebhooks();
});
afterEach(() => stack.close());

/** Writes events of a given size for a Site, each with a delivery to an endpoint. */
const queueEvents = (siteId: string, endpointId: string, count: number, bytes: number) =>
  stack.api.db.pool.query(
    `with made as (
       insert into events (id, site_id, event, created_at, body)
       select gen_random_uuid(), $1, 'article.published', now(), repeat('x', $4) from generate_series(1, $3) returning id
     )
     insert into webhook_queue (endpoint_id, event_id, due_at) select $2, id, now() - interval '1 minute' from made`,
    [siteId, endpointId, count, bytes],
  );

describe('slots', () => {
  const one = { attempts: 1, bytes: 0 };

  test('leave some to a Site that holds none, however many others take all they can', async () => {
    const slots = new Slots({ attempts: 1_024, bytes: MIB });
    for (let site = 0; site < 6; site += 1) {
      for (let round = 0; round < 40; round += 1)
        await slots.take(`slow-${site}`, { attempts: 48, bytes: 0 }, 0);
    }
    expect(await slots.take('other', one, 0)).toEqual(one);
  });

  test('that come free go to the Site that holds the fewest, however long others have waited', async () => {
    const slots = new Slots({ attempts: 8, bytes: MIB });
    for (let round = 0; round < 8; round += 1) await slots.take(round < 7 ? `site-${round}` : 'busy', one, 0);
    const had: string[] = [];
    const wait = (site: string) =>
      slots.take(site, one, 5_000).then(({ attempts }) => {
        if (attempts > 0) had.push(site);
      });
    const waiting = [wait('busy'), wait('busy'), wait('other')];
    slots.give('site-0', one);
    await new Promise((resolve) => setImmediate(resolve));
    expect(had).toEqual(['other']);
    for (const site of ['site-1', 'site-2', 'site-3', 'site-4']) slots.give(site, one);
    await Promise.all(waiting);
    expect(had).toEqual(['other', 'busy', 'busy']);
  });

  test('limit bytes as well as attempts', async () => {
    const slots = new Slots({ attempts: 1_024, bytes: 16 * MIB });
    const claim = { attempts: 1, bytes: 4 * MIB };
    const taken = [];
    for (let round = 0; round < 8; round += 1) taken.push(await slots.take('site', claim, 0));
    expect(taken.filter(({ attempts }) => attempts > 0)).toHaveLength(2);
    expect(await slots.take('other', claim, 0)).toEqual(claim);
  });
});

test('twenty-two slow endpoints of three Sites leave a slot for another Site’s first attempt', async () => {
  const over = Promise.withResolvers<void>();
  const session = stack.newSession({
    http: patient(stack.session.ports.http),
    slots: new Slots({ attempts: 128, bytes: 64 * MIB }),
  });
  const slow = await stack.receiver(async (_, response) => {
    await over.promise;
    response.end();
  });
  const ids: string[] = [];
  for (const endpoints of [10, 10, 2]) {
    const { secretKey, siteId } = await stack.newTenant();
    for (let number = 0; number < endpoints; number += 1) {
      const { id } = await stack.endpoint(slow.url, {}, secretKey);
      ids.push(id);
      await queueEvents(siteId, id, 60, 100);
    }
  }
  const runs = Promise.all(ids.map((id) => session.run(id)));
  await eventually('they hold all they can', () => slow.seen.length > 100);
  const quick = await stack.receiver();
  const { secretKey, siteId } = await stack.newTenant();
  const { id } = await stack.endpoint(quick.url, {}, secretKey);
  await stack.emit(1, siteId);
  await session.run(id);
  await eventually('it has arrived before any of the slow ones has ended', () => quick.seen.length === 1);
  session.stop();
  over.resolve();
  await runs;
  await session.drain(DRAINED_MS);
});

describe('bodies', () => {
  /**
   * A receiver that answers a moment after it holds so many requests at once.
   *
   * @returns the maximum number of requests it held
   */
  async function holding(atOnce: number) {
    const state = { open: 0, most: 0 };
    const enough = Promise.withResolvers<void>();
    const receiver = await stack.receiver(async (_, response) => {
      state.most = Math.max(state.most, (state.open += 1));
      if (state.open >= atOnce) enough.resolve();
      await enough.promise;
      setTimeout(() => {
        state.open -= 1;
        response.end();
      }, 300);
    });
    return { receiver, state };
  }

  const sendAll = async (id: string, count: number): Promise<void> => {
    await eventually(
      'all has arrived',
      async () => {
        await stack.session.run(id);
        return (await stack.attempts(id)).length === count;
      },
      10,
    );
  };

  test('in flight for an endpoint are at most eight MiB, and all of them arrive', async () => {
    const { receiver, state } = await holding(3);
    const { id } = await stack.endpoint(receiver.url);
    await queueEvents(stack.tenant.siteId, id, 30, 900_000);
    await sendAll(id, 30);
    expect(receiver.seen).toHaveLength(30);
    // Nine of 900,000 bytes fit.
    expect(state.most).toBeLessThanOrEqual(9);
  });

  test('that are larger go alone', async () => {
    const { receiver, state } = await holding(1);
    const { id } = await stack.endpoint(receiver.url);
    await queueEvents(stack.tenant.siteId, id, 3, 9 * MIB);
    await sendAll(id, 3);
    expect(receiver.seen.map(({ body }) => body.length)).toEqual([9 * MIB, 9 * MIB, 9 * MIB]);
    expect(state.most).toBe(1);
  });

  test('of one event are read and held once, however many endpoints receive it', async () => {
    const [eventId] = await stack.emit();
    const bodies = new Bodies();
    const claimed = { event_id: eventId, body: null } as ClaimedDelivery;
    let meet: (() => void) | undefined;
    const all = new Promise<void>((resolve) => (meet = resolve));
    const seen: (Buffer | null)[] = [];
    await Promise.all(
      Array.from({ length: 10 }, () =>
        bodies.use(stack.api.db, claimed, async (body) => {
          if (seen.push(body) === 10) meet?.();
          await all;
        }),
      ),
    );
    expect(seen[0]).toBeInstanceOf(Buffer);
    expect(new Set(seen).size).toBe(1);
    const gone = { event_id: randomUUID(), body: null } as ClaimedDelivery;
    expect(await bodies.use(stack.api.db, gone, async (body) => body)).toBeNull();
  });
});

describe('a Site with 100,000 deliveries waiting', () => {
  /** Half of them are for an active endpoint, half for a paused one. */
  async function backlog(): Promise<string> {
    const { secretKey, siteId } = await stack.newTenant();
    const slow = await stack.receiver((_, response) => void setTimeout(() => response.end(), 1_000));
    const [sent, paused] = [
      (await stack.endpoint(slow.url, {}, secretKey)).id,
      (await stack.endpoint(slow.url, {}, secretKey)).id,
    ];
    await stack.api.db.pool.query('update webhook_endpoints set paused = true where id = $1', [paused]);
    for (const id of [paused, sent]) await queueEvents(siteId, id, 50_000, 10);
    await stack.api.db.pool.query('analyze webhook_queue, events');
    return sent;
  }

  test('delays no other Site’s first attempt', async () => {
    const busy = await backlog();
    const quick = await stack.receiver();
    const { secretKey, siteId } = await stack.newTenant();
    const { id } = await stack.endpoint(quick.url, {}, secretKey);
    const run = stack.session.run(busy);
    for (let arrived = 1; arrived <= 9; arrived += 1) {
      await stack.emit(1, siteId);
      stack.session.wake(id);
      await eventually('it has arrived', () => quick.seen.length === arrived);
    }
    stack.session.stop();
    await run;
    // Long before the backlog is through.
    const left = 'select from webhook_queue where endpoint_id = $1 and delivery_id is null';
    expect((await stack.api.db.pool.query(left, [busy])).rowCount).toBeGreaterThan(40_000);
  });

  test('is found by a poll that reads few rows, and so is every other Site', async () => {
    const busy = await backlog();
    const { secretKey, siteId } = await stack.newTenant();
    const { id } = await stack.endpoint((await stack.receiver()).url, {}, secretKey);
    await queueEvents(siteId, id, 1, 10);
    const blocks = async (): Promise<number> => {
      const { rows } = await stack.api.db.pool.query(
        `select coalesce(sum(idx_tup_read), 0)::int + coalesce((select seq_tup_read from pg_stat_user_tables where relname = 'webhook_queue'), 0)::int as read
         from pg_stat_user_indexes where relname = 'webhook_queue'`,
      );
      return rows[0].read;
    };
    const stats = () => stack.api.db.pool.query('select pg_stat_force_next_flush()');
    await stats();
    const before = await blocks();
    const { endpoints, next } = await findOverdueEndpoints(stack.api.db, stack.clock.now(), 1_000);
    expect(endpoints.map((endpoint) => endpoint.id).toSorted()).toEqual([busy, id].toSorted());
    expect(next).toBeNull();
    await stats();
    expect((await blocks()) - before).toBeLessThan(5_000);
  });
});
