import { join } from 'node:path';
import { request } from 'undici';
import { createDatabase } from '../../db/database.ts';
import { commandTimeouts } from '../../db/timeouts.ts';
import { operator } from '../../domain/audit/record.ts';
import {
  addMember,
  createOrganisation,
  updateOrganisation,
} from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { startApi } from './processes.ts';
import type { OnEnd } from './run.ts';
import { insertKeys, MOST_LIMITS } from './seed.ts';

/** Articles of the Site that is searched, each with every word of the search and none of its phrases. */
const ARTICLES = 10_000;
const TEXT = 'alpha gamma beta gamma ';
const TEXT_LENGTH = 7_000;
const SEARCH = encodeURIComponent('"beta alpha" or "alpha alpha" or "beta beta"');
/** Searches at the same time, with one publishable key. */
const SEARCHES = 24;
/** The reads of another organisation: a list that shares round trips, and one that does not. */
const READS = ['/v1/articles?limit=1', '/v1/articles?limit=1&slug=an-article', '/v1/site'];
const READERS_KEYS = 100;
/** The speed of a machine changes from minute to minute, so both are measured by turns. */
const ROUNDS = 6;

/** The answers to the neighbour's reads. */
interface Reads {
  readonly count: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface NeighbourFigures {
  readonly alone: Reads;
  readonly besideSearches: Reads;
  /** Answers to the searches, by status. */
  readonly searches: Readonly<Record<number, number>>;
}

/** Measures the reads of one organisation, alone and while another one's public key searches for what takes longest. */
export async function measureNeighbours(
  { home, databaseUrl, measureMs }: { home: string; databaseUrl: string; measureMs: number },
  onEnd: OnEnd,
): Promise<NeighbourFigures> {
  const { publishable, keys } = await seedNeighbours(databaseUrl);
  const api = await startApi({ env: { DATABASE_URL: databaseUrl }, logFile: join(home, 'api.log') }, onEnd);
  const readIn = (milliseconds: number): Promise<number[]> => readFor(api.origin, keys, milliseconds);
  await readIn(measureMs);
  const times: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
  const searches: Record<number, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    times.alone.push(...(await readIn(measureMs / ROUNDS)));
    const done = new AbortController();
    const searchers = Array.from({ length: SEARCHES }, async () => {
      while (!done.signal.aborted) {
        const status = await statusOf(`${api.origin}/v1/articles?limit=1&q=${SEARCH}`, publishable);
        searches[status] = (searches[status] ?? 0) + 1;
      }
    });
    times.beside.push(...(await readIn(measureMs / ROUNDS)));
    done.abort();
    await Promise.all(searchers);
  }
  return { alone: summaryOf(times.alone), besideSearches: summaryOf(times.beside), searches };
}

async function seedNeighbours(databaseUrl: string) {
  const timeouts = { ...commandTimeouts, statement: 600_000, transaction: 610_000 };
  const db = createDatabase({ connectionString: databaseUrl, applicationName: 'presswork-bench', timeouts });
  try {
    const build = () =>
      db.transaction(async (tx) => {
        const act = { tx, actor: operator, now: new Date() };
        const organisationId = await createOrganisation(act, { name: 'Neighbour', plan: 'pro', credits: 0 });
        await updateOrganisation(act, organisationId, { limits: MOST_LIMITS });
        const owner = { organisationId, email: `${organisationId}@example.com`, role: 'owner' } as const;
        const memberId = await addMember(act, owner);
        const place = { domain: `${organisationId}.example.com`, locale: 'en', timezone: 'UTC' };
        const site = { organisationId, name: 'Neighbour', ...place, spendCap: null };
        return { memberId, siteId: await createSite(act, site) };
      });
    const [noisy, quiet] = [await build(), await build()];
    const addArticles = (siteId: string, count: number, text: string) =>
      db.pool.query(
        `insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
         select uuidv7(), $1, 'published', 'An article', 'an-article' || case n when 1 then '' else '-' || n end, $3,
           now(), now(), now() + n * interval '1 ms'
         from generate_series(1, $2::int) n`,
        [siteId, count, text],
      );
    await addArticles(noisy.siteId, ARTICLES, TEXT.repeat(TEXT_LENGTH / TEXT.length));
    await addArticles(quiet.siteId, 100, 'Text.');
    await db.pool.query('update article_search set indexed = true');
    await db.pool.query('vacuum analyze');
    const [publishable = ''] = await insertKeys(db.pool, noisy.siteId, noisy.memberId, 1, 'publishable');
    return { publishable, keys: await insertKeys(db.pool, quiet.siteId, quiet.memberId, READERS_KEYS) };
  } finally {
    await db.close();
  }
}

async function statusOf(url: string, key: string): Promise<number> {
  const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${key}` } });
  await body.dump();
  return statusCode;
}

/** Reads one after another. @returns how long each took, in ms; Infinity for one that was refused */
async function readFor(origin: string, keys: readonly string[], milliseconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  for (let number = 0; performance.now() < end; number += 1) {
    const begun = performance.now();
    const path = READS[number % READS.length] as string;
    const status = await statusOf(origin + path, keys[number % keys.length] as string);
    times.push(status === 200 ? performance.now() - begun : Infinity);
  }
  return times;
}

function summaryOf(times: number[]): Reads {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const refused = times.filter((time) => time === Infinity).length;
  return { count: times.length, refused, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function formatNeighbours({ alone, besideSearches, searches }: NeighbourFigures): string {
  const line = (name: string, { count, refused, p50Ms, p99Ms }: Reads): string =>
    `${name}: ${count} reads, ${refused} refused, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  const ratio = (of: 'p50Ms' | 'p99Ms'): string => (besideSearches[of] / alone[of]).toFixed(2);
  return [
    line('alone', alone),
    line(`beside ${SEARCHES} searches of another organisation`, besideSearches),
    `ratio: p50 ${ratio('p50Ms')}, p99 ${ratio('p99Ms')}`,
    `searches by status: ${JSON.stringify(searches)}`,
  ].join('\n');
}
