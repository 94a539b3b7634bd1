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

const SITES = 200;
const ARTICLES_OF_A_SITE = 10;
const ARTICLES = SITES * ARTICLES_OF_A_SITE;
/** Time for Temporal to start that many workflows on a slow machine. */
const LEAD_MS = 90_000;
/** Rare, as each look costs part of the measured time. */
const POLL_MS = 250;
/** The delay that the contract allows. */
const LIMIT_MS = 2_000;

/** The differences between the measurements. */
const cases = {
  'one worker': { workers: 1, purging: false },
  'three workers': { workers: 3, purging: false },
  'a PURGE_URL that hangs': { workers: 1, purging: true },
} as const;

export interface OnTheHour {
  readonly name: string;
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
 * Measures how long after the scheduled second the last of 2,000 articles of 200 Sites is public.
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
  for (const [name, { workers, purging }] of Object.entries(cases)) {
    const { onEnd: later, endEach } = createEndings();
    onEnd(endEach);
    const purgeUrl = purging ? await silentServer(later) : '';
    await Promise.all(
      Array.from({ length: workers }, (_, index) => {
        const logFile = join(place.home, `worker-${figures.length}-${index}.log`);
        return startWorker({ env: { ...env, PURGE_URL: purgeUrl }, logFile }, later);
      }),
    );
    const due = new Date(Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000);
    const ids = await scheduleAll(db, due);
    await waiting(client, due);
    const { medianMs, lastMs } = await watch(db, due);
    console.log(`${name}: all public after ${lastMs} ms`);
    await requireOneEventEach(db, ids);
    await settled(client);
    const bareMs = await bare(db, ids);
    figures.push({ name, medianMs, lastMs, bareMs, failed: lastMs > LIMIT_MS });
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

async function scheduleAll(db: Database, due: Date): Promise<readonly string[]> {
  const now = new Date();
  const organisationId = await db.transaction((tx) =>
    createOrganisation({ tx, actor: operator, now }, { name: 'On the hour', plan: 'pro', credits: 0 }),
  );
  const place = { locale: 'en', timezone: 'Europe/Berlin', spendCap: null };
  const scheduleSite = async (number: number): Promise<string[]> => {
    const name = `Site ${number}`;
    const values = { organisationId, name, domain: `${number}.example.com`, ...place };
    const siteId = await db.transaction((tx) => createSite({ tx, actor: operator, now }, values));
    const site = { id: siteId, organisationId, eventsFull: false };
    const ids: string[] = [];
    for (let count = 1; count <= ARTICLES_OF_A_SITE; count += 1) {
      const article = { title: `Article ${count}`, content: 'Text. '.repeat(300) };
      const { id } = await db.transaction((tx) =>
        createArticle(tx, { tx, actor: operator, now }, siteId, article),
      );
      await db.transaction(async (tx) => {
        const current = await currentArticle(tx, siteId, id);
        scheduleArticle({ tx, site, actor: operator, now }, place.timezone, current, due.toISOString());
      });
      ids.push(id);
    }
    return ids;
  };
  const numbers = Array.from({ length: SITES }, (_, index) => index + 1).values();
  const all: string[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const number of numbers) all.push(...(await scheduleSite(number)));
    }),
  );
  return all;
}

/** Resolves once every article's workflow waits. */
async function waiting(client: Client, due: Date): Promise<void> {
  while ((await running(client)) < ARTICLES) {
    if (Date.now() > due.getTime() - 3_000)
      throw new Error('Temporal was too slow to start all workflows in time');
    await pause(500);
  }
  await pause(due.getTime() - Date.now());
}

const running = async (client: Client): Promise<number> =>
  (await client.workflow.count('WorkflowType = "scheduledPublish" and ExecutionStatus = "Running"')).count;

/** The workflows that found nothing to do have ended. */
async function settled(client: Client): Promise<void> {
  while ((await running(client)) > 0) await pause(500);
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
  if (events !== ARTICLES || articles !== ARTICLES)
    throw new Error(`${articles} of ${ARTICLES} articles were published, with ${events} events`);
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
      ({ name, medianMs, lastMs, bareMs }) =>
        `${ARTICLES} articles of ${SITES} Sites due at one second, ${name}: half are public after ${(medianMs / 1_000).toFixed(2)} s, ` +
        `all after ${(lastMs / 1_000).toFixed(2)} s, ${Math.round(lastMs / bareMs)} times as long as one statement takes`,
    )
    .join('\n');
