import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../../db/sql.ts';
import { operator } from '../../../domain/audit/record.ts';
import { recordEvent } from '../../../domain/events/events.ts';
import { setPaused } from '../../../domain/webhooks/queue.ts';
import { measure, summarize } from '../load.ts';
import { startLoad } from '../processes.ts';
import type { SeededSite } from '../seed.ts';
import { register } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { paced, publisher, SETTLE_MS, site } from './pace.ts';
import type { Figure } from './report.ts';
import type { WebhookStack } from './stack.ts';
import { measureWorkers } from './workers.ts';

const PER_TRANSACTION = 250;
const WARM_UP_MS = 2_000;
const DEAD_ENDPOINTS = 9;

/** Amount of work of the parts that are not limited by time. */
export interface Amounts {
  /** Duration of a load. */
  readonly measureMs: number;
  readonly backlog: number;
  readonly idlePublishes: number;
  /** Duration of the outage, and of the time before and after it. */
  readonly outageMs: number;
}

export const fullAmounts = { backlog: 10_000, idlePublishes: 200, outageMs: 10_000 } as const;

type Part = (stack: WebhookStack, amounts: Amounts) => Promise<Omit<Figure, 'part'>[]>;

/** All parts, in their order: first the limits of the receiver and of undici. */
export const parts: Readonly<Record<string, Part>> = {
  async limit({ receiver, call, seeded }, { measureMs }) {
    const body = bodyOf(await article(call, site(seeded, 1)));
    const headers = { 'content-type': 'application/json' };
    const next = () => ({ method: 'POST', path: '/limit', headers, body }) as const;
    const sample = await measure(receiver.origin, next, 200, {
      warmUpMs: WARM_UP_MS / 2,
      measureMs,
    });
    const { perSecond, p50, p99, errors } = summarize([sample]);
    return [
      { title: `undici alone, unsigned, ${body.length} bytes`, value: perSecond, unit: 'requests/s' },
      { title: 'p50', value: p50, unit: 'ms' },
      { title: 'p99', value: p99, unit: 'ms', failed: errors > 0 },
    ];
  },

  async publishes(stack, { measureMs }) {
    const load = startLoad({ ...stack.seeded, small: [] });
    try {
      const duration = { warmUpMs: WARM_UP_MS, measureMs };
      await load.prepare('publish', stack.origin);
      // Twice, because the first run only warms the API up.
      await load.measure('publish', stack.origin, duration);
      const alone = summarize([await load.measure('publish', stack.origin, duration)]);
      const endpoint = await register(stack, stack.seeded.large);
      const begun = Date.now();
      const sample = await load.measure('publish', stack.origin, duration);
      const published = summarize([sample]);
      const { perSecond, errors, firstError } = published;
      const ended = Date.now();
      if (errors > 0) console.error(`publishes: ${errors} errors, the first of them: ${firstError}`);
      const { events, lost, requests, p50, p99, lastAt } = await endpoint.settle(SETTLE_MS);
      const deliveries = events / ((Math.max(ended, lastAt) - begun) / 1_000);
      return [
        { title: 'publishes without an endpoint', value: alone.perSecond, unit: '/s' },
        { title: 'publishes with one', value: perSecond, unit: '/s', goal: '>= 645', failed: errors > 0 },
        { title: 'against without', value: perSecond / alone.perSecond, unit: '×', goal: '>= 0.8' },
        { title: 'a publish without an endpoint, p50', value: alone.p50, unit: 'ms' },
        { title: 'a publish without an endpoint, p99', value: alone.p99, unit: 'ms' },
        { title: 'a publish with one, p50', value: published.p50, unit: 'ms' },
        { title: 'a publish with one, p99', value: published.p99, unit: 'ms' },
        { title: 'its p99 against its p50', value: published.p99 / published.p50, unit: '×', goal: '< 4' },
        { title: 'deliveries, until the last', value: deliveries, unit: '/s' },
        { title: 'requests for each event', value: requests / events, unit: '' },
        { title: 'end to end, p50', value: p50, unit: 'ms' },
        { title: 'end to end, p99', value: p99, unit: 'ms' },
        { title: 'lag at the end', value: Math.max(0, lastAt - ended) / 1_000, unit: 's', goal: '< 2' },
        { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
      ];
    } finally {
      await load.stop();
    }
  },

  async backlog(stack, { backlog }) {
    const owner = site(stack.seeded, 0);
    const endpoint = await register(stack, owner);
    await stack.db.transaction((tx) => setPaused(tx, operator, endpoint.id, true, new Date()));
    await fillBacklog(stack, endpoint, await article(stack.call, owner), backlog);
    const begun = Date.now();
    await stack.db.transaction((tx) => setPaused(tx, operator, endpoint.id, false, new Date()));
    await stack.db.exec(statement`select pg_notify('presswork_webhooks', ${endpoint.id})`);
    const { events, lost, lastAt } = await endpoint.settle(SETTLE_MS);
    const perSecond = events / ((lastAt - begun) / 1_000);
    return [
      { title: `deliveries of ${backlog} that waited`, value: perSecond, unit: '/s', goal: '>= 2000' },
      { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
    ];
  },

  async outage(stack, { outageMs }) {
    const owner = site(stack.seeded, 1);
    const endpoint = await register(stack, owner);
    const since = new Date().toISOString();
    const publish = publisher(stack, owner);
    await publish.paced(outageMs);
    stack.receiver.answerWith(500);
    await publish.paced(outageMs);
    stack.receiver.answerWith(200);
    await publish.paced(outageMs);
    // Twelve failures in a row disable an endpoint; its owner enables it and replays the missed events.
    const { enabled } = await stack.call(owner, 'GET', `/webhooks/${endpoint.id}`);
    const missed = enabled ? 0 : (await endpoint.settle(0)).lost;
    if (!enabled) {
      await stack.call(owner, 'PATCH', `/webhooks/${endpoint.id}`, { enabled: true });
      await stack.call(owner, 'POST', `/webhooks/${endpoint.id}/replay`, { since });
    }
    const { events, lost } = await endpoint.settle(SETTLE_MS);
    return [
      { title: 'disabled meanwhile, missed until enabled and replayed', value: missed, unit: 'events' },
      { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
    ];
  },

  async idle(stack, { idlePublishes }) {
    const owner = site(stack.seeded, 2);
    const endpoint = await register(stack, owner);
    const publish = publisher(stack, owner);
    for (let count = 0; count < idlePublishes; count += 1) {
      await publish.one();
      await sleep(40 + (count % 7) * 10);
    }
    const { events, lost, p50, p99 } = await endpoint.settle(SETTLE_MS);
    return [
      { title: 'end to end, p50', value: p50, unit: 'ms' },
      { title: 'end to end, p99', value: p99, unit: 'ms', goal: '<= 50' },
      { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
    ];
  },

  async dead(stack, { measureMs }) {
    const alone = await paced(stack, site(stack.seeded, 3), 0, measureMs);
    const among = await paced(stack, site(stack.seeded, 4), DEAD_ENDPOINTS, measureMs);
    return [
      { title: 'the live one alone, p50', value: alone.p50, unit: 'ms' },
      { title: 'p99', value: alone.p99, unit: 'ms' },
      { title: `beside ${DEAD_ENDPOINTS} that hang, p50`, value: among.p50, unit: 'ms' },
      { title: 'p99', value: among.p99, unit: 'ms' },
      { title: 'p50 against alone', value: among.p50 / alone.p50, unit: '×', goal: '< 2' },
      { title: 'p99 against alone', value: among.p99 / alone.p99, unit: '×', goal: '< 2' },
      { title: 'lost', value: among.lost, unit: `of ${among.events}`, goal: '0', failed: among.lost > 0 },
    ];
  },

  workers: (stack, { measureMs }) => measureWorkers(stack, measureMs),
};

/** Measures the parts, one after another. */
export async function measureWebhooks(
  stack: WebhookStack,
  names: readonly string[],
  amounts: Amounts,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of names) {
    const measured = await (parts[name] as Part)(stack, amounts);
    figures.push(...measured.map((figure) => ({ part: name, ...figure })));
    console.log(`${name}: done`);
  }
  return figures;
}

/** An article as its events carry it. */
const article = (call: WebhookStack['call'], owner: SeededSite): Promise<object> =>
  call(owner, 'GET', `/articles/${owner.published[0]}`);

function bodyOf(data: object): string {
  const id = '00000000-0000-7000-8000-000000000000';
  return JSON.stringify({ id, event: 'article.published', created_at: new Date().toISOString(), data });
}

/** Records events as the product does, for an endpoint that is paused. */
async function fillBacklog(
  { db }: WebhookStack,
  { siteId }: Endpoint,
  data: object,
  events: number,
): Promise<void> {
  for (let count = 0; count < events; count += PER_TRANSACTION) {
    await db.transaction(async (tx) => {
      for (let each = 0; each < PER_TRANSACTION; each += 1)
        recordEvent(tx, siteId, 'article.published', data, new Date());
    });
  }
}
