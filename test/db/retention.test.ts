import { privileges } from '../../db/privileges.ts';
import { sql } from '../../db/sql.ts';
import { z } from 'zod';
import { inBatches } from '../../activities/batches.ts';
import { fill, growing, prepareGrowth } from '../../bench/aged-rows.ts';
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

describe.each(Object.keys(growing))('what is old of %s', (table) => {
  const { remove } = growing[table] as (typeof growing)[string];
  const folded = table === 'usage_changes';
  const countOf = async (): Promise<number> => {
    const condition = table === 'pipeline_steps' ? 'where prompt is not null' : '';
    return (await database.db.pool.query(`select count(*)::int from ${table} ${condition}`)).rows[0].count;
  };

  test('goes batch by batch, found by an index, and what is not old stays', async () => {
    const { db } = database;
    // Changes of usage are all folded, whatever their age.
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
      // The changes of usage are few, and none of them stays.
      if (!folded) expect(await rowsRead()).toEqual({ seq });
    });
    expect(await countOf()).toBe(before - BATCH);
    const rest = (folded ? before : OLD) - BATCH;
    expect(await inBatches(db, BATCH, (tx) => remove(tx, new Date(), BATCH))).toBe(rest);
    expect(await countOf()).toBe(before - BATCH - rest);
    expect(await db.transaction((tx) => remove(tx, new Date(), BATCH))).toBe(0);
  });

  test('goes once, where two delete at a time', async () => {
    await fill(database.db, tenant, table, OLD);
    const gone = await Promise.all(
      [1, 2, 3].map(() => inBatches(database.db, BATCH, (tx) => remove(tx, new Date(), BATCH))),
    );
    // One that finds its batch taken may end before the others.
    const left = await inBatches(database.db, BATCH, (tx) => remove(tx, new Date(), BATCH));
    expect([...gone, left].reduce((sum, count) => sum + count)).toBe(OLD);
  });
});

test('a backlog does not keep the rest of housekeeping waiting', async () => {
  let batches = 0;
  const endless = async (): Promise<number> => {
    batches += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return BATCH;
  };
  expect(await inBatches(database.db, BATCH, endless, 50)).toBe(batches * BATCH);
  expect(batches).toBeGreaterThan(1);
});

test('what the application may delete has something that deletes it: a list, or the object it belongs to', () => {
  /** Rows that go with what they are of, when a person deletes that, or when the work they stand for is done. */
  const withTheirObject = [
    'article_tags',
    'articles',
    'authors',
    'cache_purges',
    'categories',
    'comment_events',
    'comments',
    'doomed_objects',
    'maintenance',
    'media_assets',
    'outbox',
    'pipeline_run_articles',
    'reader_salts',
    'session_members',
    'tags',
    'upload_reservations',
    'webhook_detached_attempts',
    'webhook_endpoints',
    'webhook_queue',
  ];
  const deletable = Object.keys(privileges).filter((name) =>
    privileges[name]?.application.includes('delete'),
  );
  const swept = Object.keys(growing).filter((name) => name !== 'pipeline_steps');
  expect(deletable.toSorted()).toEqual([...withTheirObject, ...swept].toSorted());
});
