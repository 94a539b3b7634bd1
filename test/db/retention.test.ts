import { privileges } from '../../db/privileges.ts';
import { sql } from '../../db/sql.ts';
import { z } from 'zod';
import { inBatches } from '../../activities/batches.ts';
import { fill, growing, prepareGrowth } from '../support/aged-rows.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const FRESH = 20_000;
const OLD = 250;
const BATCH = 100;

let database: TestDatabase;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await buildTenant(database.db);
  await prepareGrowth(database.db, tenant);
});
afterAll(() => database.drop());

const scans = z.object({ seq: z.number() });

describe.each(Object.keys(growing))('old rows of %s', (table) => {
  const { remove } = growing[table] as (typeof growing)[string];
  const folded = ['usage_changes', 'event_byte_changes', 'public_changes'].includes(table);
  const countOf = async (): Promise<number> => {
    const condition = table === 'pipeline_steps' ? 'where prompt is not null' : '';
    return (await database.db.pool.query(`select count(*)::int from ${table} ${condition}`)).rows[0].count;
  };

  test('are deleted batch by batch, found by an index, and the others stay', async () => {
    const { db } = database;
    // Changes of usage, of event bytes and of public content are all folded, whatever their age.
    if (!folded) await fill(db, tenant, table, FRESH, '1 s');
    await fill(db, tenant, table, OLD);
    await db.pool.query(`vacuum analyze ${table}`);
    const before = await countOf();
    await db.transaction(async (tx) => {
      const rowsRead = () =>
        tx.one(sql.type(scans)`
          select seq_tup_read::int as seq from pg_stat_xact_user_tables where relname = ${table}`);
      const { seq } = await rowsRead();
      expect(await remove(tx, new Date(), BATCH)).toBe(BATCH);
      // These are few, and all of them are deleted.
      if (!folded) expect(await rowsRead()).toEqual({ seq });
    });
    expect(await countOf()).toBe(before - BATCH);
    const rest = (folded ? before : OLD) - BATCH;
    expect(await inBatches(db, BATCH, (tx) => remove(tx, new Date(), BATCH))).toBe(rest);
    expect(await countOf()).toBe(before - BATCH - rest);
    expect(await db.transaction((tx) => remove(tx, new Date(), BATCH))).toBe(0);
  });

  test('are deleted once by two concurrent deletions', async () => {
    await fill(database.db, tenant, table, OLD);
    const gone = await Promise.all(
      [1, 2, 3].map(() => inBatches(database.db, BATCH, (tx) => remove(tx, new Date(), BATCH))),
    );
    // One that finds its batch locked may end earlier.
    const left = await inBatches(database.db, BATCH, (tx) => remove(tx, new Date(), BATCH));
    expect([...gone, left].reduce((sum, count) => sum + count)).toBe(OLD);
  });
});

test('a backlog does not delay the rest of housekeeping', async () => {
  let batches = 0;
  const endless = async (): Promise<number> => {
    batches += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return BATCH;
  };
  expect(await inBatches(database.db, BATCH, endless, 1_000)).toBe(batches * BATCH);
  expect(batches).toBeGreaterThan(1);
});

test('every table that the application may delete from is cleaned by housekeeping, or with its object, or with its Site', async () => {
  /** Rows deleted together with their object, or when their work is done. */
  const withTheirObject = [
    'article_claims',
    'article_revisions',
    'article_tags',
    'articles',
    'autopilots',
    'authors',
    'backlinks',
    'bulk_items',
    'cache_purges',
    'categories',
    'channels',
    'cms_connections',
    'cms_push_items',
    'cms_remote_images',
    'cms_remote_posts',
    'comment_events',
    'comments',
    'deleted_webhook_endpoints',
    'doomed_objects',
    'maintenance',
    'media_assets',
    'one_time_links',
    'notes',
    'outbox',
    'pending_edits',
    'pipeline_run_articles',
    'plan_items',
    'prompt_tries',
    'reader_salts',
    'recovery_codes',
    'second_factors',
    'review_approvals',
    'reviews',
    'seo_findings',
    'seo_scan_targets',
    'seo_scans',
    'session_members',
    'tags',
    'upload_reservations',
    'voices',
    'webhook_detached_attempts',
    'webhook_endpoints',
    'webhook_queue',
  ];
  const deletable = Object.keys(privileges).filter((name) =>
    privileges[name]?.application.includes('delete'),
  );
  const swept = Object.keys(growing).filter((name) => name !== 'pipeline_steps');
  // A trigger refuses any other deletion of these.
  const { rows } = await database.db.pool.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = tgrelid::regclass::text || '_kept'`,
  );
  const withTheirSite = rows.map(({ name }) => name);
  expect(withTheirSite).toContain('api_keys');
  expect(deletable.toSorted()).toEqual([...withTheirObject, ...withTheirSite, ...swept].toSorted());
});
