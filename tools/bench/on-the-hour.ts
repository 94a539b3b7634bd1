import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { bundleWorkflows, bundleFile } from '../dev/applications.ts';
import { currentArticle } from '../../domain/articles/article.ts';
import { createArticle } from '../../domain/publication/create.ts';
import { scheduleArticle } from '../../domain/publication/schedule.ts';
import { operator } from '../../domain/audit/record.ts';
import { createOrganisation } from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { startWorker } from './processes.ts';
import { createEndings } from './run.ts';
import type { OnEnd } from './run.ts';

const ARTICLES_OF_A_SITE = 10;
/** Time for Temporal to start the workflows of 2,000 articles on a slow machine. */
const LONG_MS = 90_000;
/** Too short for that: the workflows of most articles start after their time. */
const SHORT_MS = 5_000;
/** Rare, as each look costs part of the measured time. */
const POLL_MS = 250;
/** The delay that the contract allows, and the aim for more articles than two cores publish in that time. */
const LIMIT_MS = 2_000;
const ARTICLE_MS = 0.3;

/** The differences between the measurements. */
const cases = {
  'one worker': { sites: 200, workers: 1, leadMs: LONG_MS, purging: false },
  'three workers': { sites: 200, workers: 3, leadMs: LONG_MS, purging: false },
  'a PURGE_URL that hangs': { sites: 200, workers: 1, leadMs: LONG_MS, purging: true },
  'scheduled just before': { sites: 200, workers: 1, leadMs: SHORT_MS, purging: false },
  '10,000 just before': { sites: 1_000, workers: 1, leadMs: SHORT_MS, purging: false },
  '20,000 just before': { sites: 2_000, workers: 1, leadMs: SHORT_MS, purging: false },
} as const;

export interface OnTheHour {
  readonly name: string;
  readonly articles: number;
  /** How long before their time the last was scheduled, in ms. */
  readonly leadMs: number;
  /** From the scheduled time until half of the articles, and all of them, were public, in ms. */
  readonly medianMs: number;
  readonly lastMs: number;
  /** One statement that changes as many rows, and records as many events, in ms. */
  readonly bareMs: number;
  readonly failed: boolean;
}

interface Place {
  readonly home: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

/**
 * Measures how long after the scheduled second the last of many articles is public.
 *
 * @throws Error if one of them was published more than once, or not at all
 */
export async function measureOnTheHour(place: Place, onEnd: OnEnd): Promise<readonly OnTheHour[]> {
  const db = createDatabase({
    connectionString: place.databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 8,
  });
  onEnd(() => db.close());
  const connection = await Connection.connect({ address: place.temporalAddress });
  onEnd(() => connection.close());
  const client = new Client({ connection });
  await bundleWorkflows(place.home);
  const env = {
    DATABASE_URL: place.databaseUrl,
    TEMPORAL_ADDRESS: place.temporalAddress,
    WORKFLOW_BUNDLE: bundleFile(place.home),
  };
  const figures: OnTheHour[] = [];
  for (const [name, { sites, workers, leadMs, purging }] of Object.entries(cases)) {
    const { onEnd: later, endEach } = createEndings();
    onEnd(endEach);
    const purgeUrl = purging ? await silentServer(later) : '';
    await Promise.all(
      Array.from({ length: workers }, (_, index) => {
        const logFile = join(place.home, `worker-${figures.length}-${index}.log`);
        return startWorker({ env: { ...env, PURGE_URL: purgeUrl }, logFile }, later);
      }),
    );
    const begun = Date.now();
    const drafts = await createDrafts(db, sites);
    // Scheduling them takes less than twice as long, although their workflows start meanwhile.
    const scheduled = Date.now() + 2 * (Date.now() - begun);
    const due = new Date(Math.ceil((scheduled + leadMs) / 1_000) * 1_000);
    await scheduleAll(db, drafts, due);
    const lead = due.getTime() - Date.now();
    if (leadMs === LONG_MS) await waiting(client, drafts.length, due);
    else await pause(lead);
    const { medianMs, lastMs } = await watch(db, due);
    console.log(
      `${name}: scheduled ${lead} ms before, half public after ${medianMs} ms, all after ${lastMs} ms`,
    );
    const ids = drafts.map(({ id }) => id);
    await requireOneEventEach(db, ids);
    await settled(db, client);
    const bareMs = await bare(db, ids);
    figures.push({
      name,
      articles: ids.length,
      leadMs: lead,
      medianMs,
      lastMs,
      bareMs,
      failed: lastMs > Math.max(LIMIT_MS, ids.length * ARTICLE_MS),
    });
    await endEach();
  }
  return figures;
}

/** Accepts requests and never answers. @returns its address */
async function silentServer(onEnd: OnEnd): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`;
}

interface Draft {
  readonly id: string;
  readonly site: { readonly id: string; readonly organisationId: string; readonly eventsFull: boolean };
}

const place = { locale: 'en', timezone: 'Europe/Berlin', spendCap: null };

/** @returns drafts, those of each Site together */
async function createDrafts(db: Database, sites: number): Promise<readonly Draft[]> {
  const now = new Date();
  const organisationId = await db.transaction((tx) =>
    createOrganisation({ tx, actor: operator, now }, { name: 'On the hour', plan: 'pro', credits: 0 }),
  );
  const drafts: Draft[] = [];
  const numbers = Array.from({ length: sites }, (_, index) => index + 1);
  await eachOf(numbers, async (number) => {
    const name = `Site ${number}`;
    const values = { organisationId, name, domain: `${number}.example.com`, ...place };
    const id = await db.transaction((tx) => createSite({ tx, actor: operator, now }, values));
    const site = { id, organisationId, eventsFull: false };
    for (let count = 1; count <= ARTICLES_OF_A_SITE; count += 1) {
      const values = { title: `Article ${count}`, content: 'Text. '.repeat(300) };
      const article = await db.transaction((tx) =>
        createArticle(tx, { tx, actor: operator, now }, site, values),
      );
      drafts.push({ id: article.id, site });
    }
  });
  return drafts;
}

const scheduleAll = (db: Database, drafts: readonly Draft[], due: Date): Promise<void> =>
  eachOf(drafts, ({ id, site }) =>
    db.transaction(async (tx) => {
      const current = await currentArticle(tx, site.id, id);
      const now = new Date();
      scheduleArticle({ tx, site, actor: operator, now }, place.timezone, current, due.toISOString(), null);
    }),
  );

/** Works on the items, eight at a time. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  // A shared iterator: each item is taken once.
  const untaken = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of untaken) await work(item);
    }),
  );
}

/** Resolves once every article's workflow waits. */
async function waiting(client: Client, articles: number, due: Date): Promise<void> {
  while ((await running(client)) < articles) {
    if (Date.now() > due.getTime() - 3_000)
      throw new Error('Temporal was too slow to start all workflows in time');
    await pause(500);
  }
  await pause(due.getTime() - Date.now());
}

const running = async (client: Client): Promise<number> =>
  (await client.workflow.count('WorkflowType = "scheduledPublish" and ExecutionStatus = "Running"')).count;

/** Every workflow was started, and those that found nothing to do have ended. */
async function settled(db: Database, client: Client): Promise<void> {
  const left = 'select exists (select from outbox) as left';
  while ((await db.pool.query<{ left: boolean }>(left)).rows[0]?.left || (await running(client)) > 0)
    await pause(500);
}

/**
 * Resolves once all articles are public. @returns when, by the times of the commits, which are taken one flush of the
 * log before others see the articles
 */
async function watch(db: Database, due: Date): Promise<{ medianMs: number; lastMs: number }> {
  for (;;) {
    const { rows } = await db.pool.query<{ left: boolean }>(
      `select exists (select from articles where status = 'scheduled') as left`,
    );
    if (!rows[0]?.left) break;
    await pause(POLL_MS);
  }
  const { rows } = await db.pool.query<{ half: Date; last: Date }>(
    `select percentile_disc(0.5) within group (order by at) as half, max(at) as last
     from articles, pg_xact_commit_timestamp(xmin) as at where published_at >= $1`,
    [due],
  );
  const since = (time: Date | undefined): number => Number(time) - due.getTime();
  return { medianMs: since(rows[0]?.half), lastMs: since(rows[0]?.last) };
}

async function requireOneEventEach(db: Database, ids: readonly string[]): Promise<void> {
  const { rows } = await db.pool.query<{ events: number; articles: number }>(
    `select count(*)::int as events, count(distinct body::jsonb -> 'data' ->> 'id')::int as articles from events
     where event = 'article.published' and body::jsonb -> 'data' ->> 'id' = any($1)`,
    [ids],
  );
  const { events, articles } = rows[0] ?? { events: 0, articles: 0 };
  if (events !== ids.length || articles !== ids.length)
    throw new Error(`${articles} of ${ids.length} articles were published, with ${events} events`);
}

/** The lower bound of the database: one statement, once. */
async function bare(db: Database, ids: readonly string[]): Promise<number> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    const begun = performance.now();
    await client.query(
      `with changed as (update articles set version = version + 1 where id = any($1) returning id, site_id, content)
       insert into events (id, site_id, event, created_at, body)
       select gen_random_uuid(), site_id, 'article.published', now(), json_build_object('content', content)::text from changed`,
      [ids],
    );
    await client.query('rollback');
    return performance.now() - begun;
  } finally {
    client.release();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Lines for the report. */
export const formatOnTheHour = (figures: readonly OnTheHour[]): string =>
  figures
    .map(
      ({ name, articles, leadMs, medianMs, lastMs, bareMs }) =>
        `${articles} articles of ${articles / ARTICLES_OF_A_SITE} Sites due at one second, ${name} (${Math.round(leadMs / 1_000)} s before): half are public after ${(medianMs / 1_000).toFixed(2)} s, ` +
        `all after ${(lastMs / 1_000).toFixed(2)} s, ${Math.round(lastMs / bareMs)} times as long as one statement takes`,
    )
    .join('\n');
