import { pino } from 'pino';
import type { Logger } from 'pino';
import { DueEdits } from '../../activities/pending-edit/publish-due-edits.ts';
import { DueArticles } from '../../activities/scheduled-publish/publish-all-due.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import { Publisher } from '../../worker/publisher.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/temporal.ts';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** Frozen at the beginning of each test. */
export const clock = new TestClock();
export let api: TestApi;
/** That of each test, or the one made last. */
export let tenant: Tenant;
const stops: (() => Promise<void>)[] = [];

/** Starts an API for the tests of a file. Each file calls it: those of one process load this module once. */
export function usePublishing(): void {
  beforeAll(async () => {
    api = await startApi({ clock });
  });
  beforeEach(async () => {
    clock.freeze();
    await nextTenant();
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => api.close());
}

/** Makes a tenant, whose articles are scheduled from then on. */
export async function nextTenant(): Promise<void> {
  tenant = await buildTenant(api.db);
}

interface Options {
  readonly of?: 'articles' | 'edits';
  readonly log?: Logger;
  readonly by?: Clock;
  /** Those of the product, with a listener, instead of looking all the time. */
  readonly told?: () => number | null;
}

/** The publisher of one worker, of articles or of pending edits. No Temporal runs here. */
export function startPublisher({ of = 'articles', log = silent, by = clock, told }: Options = {}): Publisher {
  const ports = { db: api.db, clock: by, log, purger: null };
  const articles = new DueArticles(ports);
  const edits = new DueEdits(ports);
  const publisher = new Publisher({
    ...ports,
    publishDue: of === 'edits' ? () => edits.publish() : async () => (await articles.publish()).size,
    nextTime: () => (of === 'edits' ? edits : articles).next(),
    ...(told === undefined ? { pollMs: 20 } : { toldBy: told }),
  });
  const ended = publisher.run();
  stops.push(() => {
    publisher.stop();
    return ended;
  });
  return publisher;
}

/** A log, and how often it has warned. */
export function countedWarnings() {
  const written: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => written.push(line) });
  return { log, count: () => written.length };
}

/** Waits until a publisher has looked with the time and the rows of now. */
export async function looked(publisher: Publisher): Promise<void> {
  // The second look begins when the first has ended.
  for (let looks = 0; looks < 2; looks += 1) {
    const from = performance.now();
    await eventually('it has looked', () => publisher.idleMs() < performance.now() - from);
  }
}

export const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);

export async function schedule(id: string, due: Date): Promise<void> {
  const body = { scheduled_publish_at: due.toISOString() };
  const { status } = await api.request('POST', `/articles/${id}/schedule`, { key: tenant.secretKey, body });
  expect(status).toBe(200);
}

export async function scheduled(due: Date, count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await buildArticle(api, tenant.secretKey, { title: `Due ${number}`, content: 'Text.' });
    await schedule(id, due);
    ids.push(id);
  }
  return ids;
}

interface Standing {
  readonly status: string;
  readonly published_at: Date | null;
  /** Of its publication. */
  readonly events: number;
}

export async function standingOf(ids: readonly string[]): Promise<Standing[]> {
  const { rows } = await api.db.pool.query<Standing>(
    `select status, published_at, (select count(*)::int from events e
       where e.event = 'article.published' and e.body::jsonb #>> '{data,id}' = a.id::text) as events
     from articles a where id = any($1) order by array_position($1, id)`,
    [ids],
  );
  return rows;
}

export const arePublic = async (ids: readonly string[]): Promise<boolean> =>
  (await standingOf(ids)).every(({ status }) => status === 'published');

export const published = (ids: readonly string[], at: Date): Standing[] =>
  ids.map(() => ({ status: 'published', published_at: at, events: 1 }));

export const waiting = (ids: readonly string[]): Standing[] =>
  ids.map(() => ({ status: 'scheduled', published_at: null, events: 0 }));
