import { join } from 'node:path';
import type { Pool } from 'pg';
import { createDatabase } from '../../../db/database.ts';
import { readJson } from '../../../runtime/home.ts';
import { writeJson } from '../../dev/home.ts';
import { foldUsage } from '../../../domain/usage/usage.ts';
import { createSites, fillSite, insertKeys } from '../seed.ts';
import { insertComments } from './comments.ts';

/** The size of all Sites together. */
export interface BlogSize {
  readonly sites: number;
  readonly articles: number;
  readonly comments: number;
  /** Keys of each kind, secret and publishable: enough that no key reaches its rate limit. */
  readonly keys: number;
}

export const fullBlogs: BlogSize = { sites: 100, articles: 100_000, comments: 1_000_000, keys: 3_000 };

/** A Site, and the objects that the traffic may request. */
export interface Blog {
  readonly siteId: string;
  /** Its share of all articles, comments, keys and traffic. */
  readonly share: number;
  readonly keys: readonly string[];
  readonly publishable: readonly string[];
  readonly drafts: readonly string[];
  readonly published: readonly string[];
  /** Published articles, those with the most comments first. */
  readonly slugs: readonly string[];
  readonly categories: readonly string[];
  readonly authors: readonly string[];
  readonly tags: readonly string[];
}

type Keys = Pick<Blog, 'siteId' | 'share' | 'keys' | 'publishable'>;

/** The keys, for later runs: the database has only their hashes. */
const KEYS_FILE = 'blogs.json';
const FOLDED_AT_ONCE = 20_000;

/** One large Site has a fifth of everything, nine have 3 % each, the others share the rest. */
export function sharesOf(sites: number): number[] {
  const weights = Array.from({ length: sites }, (_, index) => (index === 0 ? 20 : index < 10 ? 3 : 0.6));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * Fills a migrated database, unless an earlier run with the same folder has filled it.
 *
 * @param folder where the keys are stored
 */
export async function prepareBlogs(databaseUrl: string, folder: string, size: BlogSize): Promise<Blog[]> {
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 2,
  });
  try {
    const known = readJson<Keys[]>(join(folder, KEYS_FILE));
    if (known !== null) return await readBlogs(db.pool, known);
    const { memberId, siteIds } = await createSites(db, size.sites, 100_000);
    const shares = sharesOf(size.sites);
    const kept: Keys[] = [];
    for (const [index, siteId] of siteIds.entries()) {
      const share = shares[index] ?? 0;
      const part = (amount: number): number => Math.max(2, Math.round(amount * share));
      const { keys } = await fillSite(db.pool, siteId, memberId, part(size.articles), part(size.keys));
      const publishable = await insertKeys(db.pool, siteId, memberId, part(size.keys), 'publishable');
      await insertComments(db.pool, siteId, part(size.comments));
      kept.push({ siteId, share, keys, publishable });
    }
    while ((await db.transaction((tx) => foldUsage(tx, FOLDED_AT_ONCE))) > 0);
    await settle(db.pool);
    writeJson(join(folder, KEYS_FILE), kept);
    return await readBlogs(db.pool, kept);
  } finally {
    await db.close();
  }
}

/** Otherwise PostgreSQL would flush the inserts during the measurement. */
async function settle(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    client.release(true);
  }
}

/** Enough of a Site's articles of each kind for the traffic. */
const KNOWN_ARTICLES = 10_000;

async function readBlogs(pool: Pool, known: readonly Keys[]): Promise<Blog[]> {
  const blogs: Blog[] = [];
  for (const keys of known) {
    const column = async <T>(text: string): Promise<T[]> =>
      (await pool.query<{ value: T }>(text, [keys.siteId])).rows.map(({ value }) => value);
    const articles = (status: string): Promise<string[]> =>
      column(
        `select id as value from articles where site_id = $1 and status = '${status}' order by id limit ${KNOWN_ARTICLES}`,
      );
    const terms = (table: string): Promise<string[]> =>
      column(`select id as value from ${table} where site_id = $1`);
    blogs.push({
      ...keys,
      drafts: await articles('draft'),
      published: await articles('published'),
      slugs: await column(
        `select a.slug as value from articles a join comment_threads t on t.article_id = a.id
         where a.site_id = $1 and a.status = 'published' order by t.version desc, a.slug limit ${KNOWN_ARTICLES}`,
      ),
      categories: await terms('categories'),
      authors: await terms('authors'),
      tags: await terms('tags'),
    });
  }
  return blogs;
}
