import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '../../db/sql.ts';
import { recordEvent } from '../../domain/events.ts';
import { setPaused } from '../../domain/webhooks/queue.ts';
import { measure, summarize } from '../load.ts';
import { startLoad } from '../processes.ts';
import type { SeededSite } from '../seed.ts';
import { register } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import type { Figure } from './report.ts';
import type { WebhookWorld } from './world.ts';

const PER_TRANSACTION = 250;
const WARM_UP_MS = 2_000;
/** Publishes a second of the parts that do not ask how much it can take. */
const PACE = 20;
const DEAD_ENDPOINTS = 9;
const SETTLE_MS = 60_000;

/** How much the parts do that have no time to fill. */
export interface Amounts {
  /** How long a load is measured. */
  readonly measureMs: number;
  readonly backlog: number;
  readonly idlePublishes: number;
  /** The outage, and as long before and after it. */
  readonly outageMs: number;
}

export const fullAmounts = { backlog: 10_000, idlePublishes: 200, outageMs: 10_000 } as const;

type Part = (world: WebhookWorld, amounts: Amounts) => Promise<Omit<Figure, 'part'>[]>;

/** What is measured, in this order: first what the receiver and undici reach by themselves. */
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

  async publishes(world, { measureMs }) {
    const load = startLoad({ ...world.seeded, small: [] });
    try {
      const duration = { warmUpMs: WARM_UP_MS, measureMs };
      await load.prepare('publish', world.origin);
      const alone = summarize([await load.measure('publish', world.origin, duration)]);
      const endpoint = await register(world, world.seeded.large);
      const begun = Date.now();
      const sample = await load.measure('publish', world.origin, duration);
      const { perSecond, errors, firstError } = summarize([sample]);
      const ended = Date.now();
      if (errors > 0) console.error(`publishes: ${errors} errors, the first of them: ${firstError}`);
      const { events, lost, requests, p50, p99, lastAt } = await endpoint.settle(SETTLE_MS);
      const deliveries = events / ((Math.max(ended, lastAt) - begun) / 1_000);
      return [
        { title: 'publishes without an endpoint', value: alone.perSecond, unit: '/s' },
        { title: 'publishes with one', value: perSecond, unit: '/s', goal: '>= 645', failed: errors > 0 },
        { title: 'against without', value: perSecond / alone.perSecond, unit: '×' },
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

  async backlog(world, { backlog }) {
    const owner = site(world.seeded, 0);
    const endpoint = await register(world, owner);
    await setPaused(world.db, endpoint.id, true);
    await fillBacklog(world, endpoint, await article(world.call, owner), backlog);
    const begun = Date.now();
    await setPaused(world.db, endpoint.id, false);
    await world.db.exec(statement`select pg_notify('presswork_webhooks', ${endpoint.id})`);
    const { events, lost, lastAt } = await endpoint.settle(SETTLE_MS);
    const perSecond = events / ((lastAt - begun) / 1_000);
    return [
      { title: `deliveries of ${backlog} that waited`, value: perSecond, unit: '/s', goal: '>= 2000' },
      { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
    ];
  },

  async outage(world, { outageMs }) {
    const owner = site(world.seeded, 1);
    const endpoint = await register(world, owner);
    const since = new Date().toISOString();
    const publish = publisher(world, owner);
    await publish.paced(outageMs);
    world.receiver.answerWith(500);
    await publish.paced(outageMs);
    world.receiver.answerWith(200);
    await publish.paced(outageMs);
    // Twelve failures in a row disable an endpoint; its owner enables it, and asks for what it missed.
    const { enabled } = await world.call(owner, 'GET', `/webhooks/${endpoint.id}`);
    const missed = enabled ? 0 : (await endpoint.settle(0)).lost;
    if (!enabled) {
      await world.call(owner, 'PATCH', `/webhooks/${endpoint.id}`, { enabled: true });
      await world.call(owner, 'POST', `/webhooks/${endpoint.id}/replay`, { since });
    }
    const { events, lost } = await endpoint.settle(SETTLE_MS);
    return [
      { title: 'disabled meanwhile, missed until enabled and replayed', value: missed, unit: 'events' },
      { title: 'lost', value: lost, unit: `of ${events}`, goal: '0', failed: lost > 0 },
    ];
  },

  async idle(world, { idlePublishes }) {
    const owner = site(world.seeded, 2);
    const endpoint = await register(world, owner);
    const publish = publisher(world, owner);
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

  async dead(world, { measureMs }) {
    const alone = await paced(world, site(world.seeded, 3), 0, measureMs);
    const among = await paced(world, site(world.seeded, 4), DEAD_ENDPOINTS, measureMs);
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
};

/** Measures the parts, one after the other. */
export async function measureWebhooks(
  world: WebhookWorld,
  names: readonly string[],
  amounts: Amounts,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of names) {
    const measured = await (parts[name] as Part)(world, amounts);
    figures.push(...measured.map((figure) => ({ part: name, ...figure })));
    console.log(`${name}: done`);
  }
  return figures;
}

const site = ({ small }: WebhookWorld['seeded'], index: number): SeededSite => small[index] as SeededSite;

/** An article as its events carry it. */
const article = (call: WebhookWorld['call'], owner: SeededSite): Promise<object> =>
  call(owner, 'GET', `/articles/${owner.published[0]}`);

/** A body as long as an event's. */
function bodyOf(data: object): string {
  const id = '00000000-0000-7000-8000-000000000000';
  return JSON.stringify({ id, event: 'article.published', created_at: new Date().toISOString(), data });
}

/** Records events as the product does, for an endpoint that is paused. */
async function fillBacklog(
  { db }: WebhookWorld,
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

/** Publishes the drafts of a Site, one by one. */
function publisher({ call }: WebhookWorld, owner: SeededSite) {
  let next = 0;
  const one = async (): Promise<void> => {
    await call(owner, 'POST', `/articles/${owner.drafts[next++]}/publish`);
  };
  return {
    one,
    /** So many a second, whether or not the one before has been answered. */
    async paced(durationMs: number): Promise<void> {
      const begun = Date.now();
      const under: Promise<void>[] = [];
      for (let count = 0; count < (durationMs / 1_000) * PACE; count += 1) {
        await sleep(Math.max(0, begun + (count * 1_000) / PACE - Date.now()));
        under.push(one());
      }
      await Promise.all(under);
    },
  };
}

/** A live endpoint among so many dead ones, at the same pace. */
async function paced(world: WebhookWorld, owner: SeededSite, dead: number, measureMs: number) {
  for (let count = 0; count < dead; count += 1) await register(world, owner, true);
  const endpoint = await register(world, owner);
  await publisher(world, owner).paced(measureMs);
  return endpoint.settle(SETTLE_MS);
}
