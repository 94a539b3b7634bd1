import type { Pool } from 'pg';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { commandTimeouts } from '../../db/timeouts.ts';
import { inBatches } from '../../activities/batches.ts';
import { displayPrefix, generateSecret, hashSecret } from '../../domain/access/key-secret.ts';
import type { KeyKind } from '../../domain/access/key-secret.ts';
import { isPublishableScope, scopes } from '../../domain/access/scopes.ts';
import { operator } from '../../domain/audit/record.ts';
import { foldPublicChanges } from '../../domain/delivery/public-site.ts';
import { newId } from '../../domain/kernel/ids.ts';
import {
  addMember,
  createOrganisation,
  updateOrganisation,
} from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { createTexts } from './texts.ts';

/** The amount of seeded data. */
export interface SeedSize {
  /** Sites besides the large one. */
  readonly smallSites: number;
  readonly articlesInLarge: number;
  readonly articlesInSmall: number;
  /** Enough that no key reaches its rate limit. */
  readonly keysInLarge: number;
  readonly keysInSmall: number;
  /** Whether the articles are indexed for searches, which takes minutes. */
  readonly searched?: boolean;
}

export const fullSize: SeedSize = {
  smallSites: 59,
  articlesInLarge: 100_000,
  articlesInSmall: 1_000,
  keysInLarge: 2_000,
  keysInSmall: 50,
};

export interface SeededSite {
  readonly id: string;
  readonly keys: readonly string[];
  readonly drafts: readonly string[];
  readonly published: readonly string[];
}

/** The Sites, keys and articles that the load uses. */
export interface Seeded {
  readonly large: SeededSite;
  readonly small: readonly SeededSite[];
}

/** One statement inserts 100,000 articles, and one makes their index. */
const seedTimeouts = { ...commandTimeouts, statement: 900_000, transaction: 910_000 };

/** Enough that neither a Site nor the organisation reaches its rate limit. */
export const MOST_LIMITS = 1_000;
const FOLDED = 10_000;
const CATEGORIES = 20;
const AUTHORS = 10;
const TAGS = 40;
const TEXT_LENGTH = 2_000;

/** Fills a migrated database: one organisation, its Sites, their keys, taxonomy and articles of about 2 KB. */
export async function seed(databaseUrl: string, size: SeedSize): Promise<Seeded> {
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 2,
    timeouts: seedTimeouts,
  });
  try {
    const { memberId, siteIds } = await createSites(db, size.smallSites + 1, 0);
    const [largeId = '', ...smallIds] = siteIds;
    const fill = (siteId: string, articles: number, keys: number): Promise<SeededSite> =>
      fillSite(db.pool, siteId, memberId, articles, keys);
    const large = await fill(largeId, size.articlesInLarge, size.keysInLarge);
    const small: SeededSite[] = [];
    for (const id of smallIds) small.push(await fill(id, size.articlesInSmall, size.keysInSmall));
    if (size.searched) await indexForSearches(db.pool);
    // As the worker does within a minute.
    await inBatches(db, FOLDED, (tx) => foldPublicChanges(tx, FOLDED));
    // Otherwise PostgreSQL would flush the inserts during the measurement.
    await db.pool.query('vacuum analyze');
    await db.pool.query('checkpoint');
    return { large, small };
  } finally {
    await db.close();
  }
}

/** An organisation without limits that matter, with its owner and Sites. */
export const createSites = (
  db: Database,
  count: number,
  credits: number,
): Promise<{ readonly memberId: string; readonly siteIds: readonly string[] }> =>
  db.transaction(async (tx) => {
    const act = { tx, actor: operator, now: new Date() };
    const organisationId = await createOrganisation(act, { name: 'Benchmark', plan: 'pro', credits });
    await updateOrganisation(act, organisationId, { limits: MOST_LIMITS });
    const memberId = await addMember(act, { organisationId, email: 'bench@example.com', role: 'owner' });
    const siteIds: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const place = { domain: `blog${number}.example.com`, locale: 'en', timezone: 'Europe/Berlin' };
      siteIds.push(
        await createSite(act, { organisationId, name: `Site ${number}`, ...place, spendCap: null }),
      );
    }
    return { memberId, siteIds };
  });

/** Puts all articles into the index of searches by building it anew, which is faster than the worker's way. */
async function indexForSearches(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_indexdef('article_search_keys_idx'::regclass) as definition`,
  );
  await pool.query('drop index article_search_keys_idx');
  await pool.query(
    'update article_search set indexed = true, refined = true where not (indexed and refined)',
  );
  await pool.query(rows[0]?.definition ?? '');
  await pool.query('alter index article_search_keys_idx alter column 1 set statistics 0');
}

/** Gives a Site its secret keys, terms and articles. */
export async function fillSite(
  pool: Pool,
  siteId: string,
  memberId: string,
  articles: number,
  keys: number,
): Promise<SeededSite> {
  const secrets = await insertKeys(pool, siteId, memberId, keys);
  await insertTerms(pool, 'categories', siteId, CATEGORIES);
  await insertTerms(pool, 'authors', siteId, AUTHORS);
  await insertTerms(pool, 'tags', siteId, TAGS);
  await insertArticles(pool, siteId, articles);
  const { rows } = await pool.query<{ id: string; status: string }>(
    'select id, status from articles where site_id = $1 order by id',
    [siteId],
  );
  const idsOf = (status: string): string[] => rows.filter((row) => row.status === status).map(({ id }) => id);
  return { id: siteId, keys: secrets, drafts: idsOf('draft'), published: idsOf('published') };
}

/** @returns the secrets of new keys of a Site, with every scope that their kind may carry */
export async function insertKeys(
  pool: Pool,
  siteId: string,
  memberId: string,
  count: number,
  kind: KeyKind = 'secret',
): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => generateSecret(kind));
  const ids = secrets.map(() => newId());
  const allowed = kind === 'secret' ? scopes : scopes.filter(isPublishableScope);
  await pool.query(
    `insert into api_keys (id, site_id, member_id, name, kind, key_prefix, scopes, created_at)
     select id, $1, $2, 'Benchmark', $6, prefix, $3, now() from unnest($4::uuid[], $5::text[]) as k (id, prefix)`,
    [siteId, memberId, allowed, ids, secrets.map(displayPrefix), kind],
  );
  await pool.query(
    `insert into api_key_secrets (hash, key_id, created_at)
     select hash, id, now() from unnest($1::bytea[], $2::uuid[]) as k (hash, id)`,
    [secrets.map(hashSecret), ids],
  );
  return secrets;
}

async function insertTerms(
  pool: Pool,
  table: 'categories' | 'authors' | 'tags',
  siteId: string,
  count: number,
): Promise<void> {
  await pool.query(
    `insert into ${table} (id, site_id, name, slug, created_at, updated_at)
     select uuidv7(), $1, '${table} ' || n, '${table}-' || n, now(), now() from generate_series(1, $2::int) n`,
    [siteId, count],
  );
}

/** Two of three are drafts; each has a category, an author and two tags, and the counts match. */
async function insertArticles(pool: Pool, siteId: string, count: number): Promise<void> {
  await pool.query(
    `with terms as (
       select array(select id from categories where site_id = $1) as categories,
         array(select id from authors where site_id = $1) as authors
     )
     insert into articles (id, site_id, status, title, slug, content, excerpt, seo_title, key_takeaways,
       category_id, author_id, published_at, created_at, updated_at)
     select uuidv7(n * interval '-1 minute'), $1, case when n % 3 = 0 then 'published' else 'draft' end,
       'Article number ' || n || ' of a Site', 'article-number-' || n, ($3::text[])[1 + n % cardinality($3)],
       'What article ' || n || ' says, in a sentence or two for the list.', 'Article ' || n,
       '["The first thing", "The second thing"]',
       terms.categories[1 + n % cardinality(terms.categories)], terms.authors[1 + n % cardinality(terms.authors)],
       case when n % 3 = 0 then now() - n * interval '1 minute' end,
       now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $2::int) n, terms`,
    [siteId, count, createTexts(500, TEXT_LENGTH)],
  );
  await pool.query(
    `with terms as (select array(select id from tags where site_id = $1) as tags),
       numbered as (select id, row_number() over () as n from articles where site_id = $1)
     insert into article_tags (article_id, tag_id, site_id)
     select id, terms.tags[1 + (n + shift) % cardinality(terms.tags)], $1
     from numbered, terms, unnest(array[0, 7]) as shift`,
    [siteId],
  );
  const counts = `article_count = c.articles, published_article_count = c.published from`;
  const counted = `count(*) as articles, count(*) filter (where status = 'published') as published`;
  for (const [table, column] of [
    ['categories', 'category_id'],
    ['authors', 'author_id'],
  ] as const) {
    await pool.query(
      `update ${table} t set ${counts}
         (select ${column} as id, ${counted} from articles where site_id = $1 group by 1) c where c.id = t.id`,
      [siteId],
    );
  }
  await pool.query(
    `update tags t set ${counts} (
       select tag_id as id, ${counted} from article_tags join articles a on a.id = article_id where a.site_id = $1 group by 1
     ) c where c.id = t.id`,
    [siteId],
  );
}
