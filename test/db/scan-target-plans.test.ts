import type { Query } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { newId } from '../../domain/kernel/ids.ts';
import type { NewTarget } from '../../domain/seo/scan-kind.ts';
import { findScanForUpdate } from '../../domain/seo/scan.ts';
import { addTargets, TARGETS_LIMIT } from '../../domain/seo/targets.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

/** A crawl that has found a page for each of 100,000 articles. */
const KNOWN = 100_000;
let database: TestDatabase;
let siteId: string;
let scanId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  siteId = (await buildTenant(database.db)).siteId;
  scanId = await buildScan(KNOWN);
  await database.db.pool.query(
    `insert into seo_scan_targets (scan_id, fingerprint, key, state, memo)
     select $1, encode(sha256(('page ' || n)::bytea), 'hex'), 'page ' || n, 'waiting', '{}'
     from generate_series(1, $2::int) n`,
    [scanId, KNOWN],
  );
  await database.db.pool.query('vacuum analyze seo_scan_targets');
}, 120_000);
afterAll(() => database.drop());

async function buildScan(targets: number): Promise<string> {
  const id = newId();
  await database.db.pool.query(
    `insert into seo_scans (id, site_id, kind, status, parameters, targets, created_at, active_at)
     values ($1, $2, 'site-crawl', 'running', '{}', $3, now(), now())`,
    [id, siteId, targets],
  );
  return id;
}

const targetsOf = (...keys: readonly string[]): NewTarget[] =>
  keys.map((key) => ({ key, url: null, articleId: null, memo: { linked: true }, examine: true }));

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The rows of targets that the steps of a statement read. */
function rowsRead(node: Node): number {
  const own =
    ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return below + (node['Relation Name'] === 'seo_scan_targets' ? own : 0);
}

async function explained(mode: string, targets: readonly NewTarget[]): Promise<number> {
  const queries: Query[] = [];
  const spying = {
    one: async (query: Query) => {
      queries.push(query);
      return { added: 0 };
    },
  };
  await addTargets(spying as unknown as Transaction, scanId, targets);
  const [{ sql, values }] = queries as [Query];
  const client = await database.db.pool.connect();
  try {
    await client.query(`set plan_cache_mode = force_${mode}_plan`);
    await client.query(`prepare added as ${sql.replaceAll('$slonik_', '$')}`);
    const given = values.map((value) => client.escapeLiteral(String(value))).join(', ');
    await client.query('begin');
    const { rows } = await client.query(`explain (analyze, format json) execute added(${given})`);
    await client.query('rollback');
    await client.query('deallocate added');
    return rowsRead(rows[0]['QUERY PLAN'][0].Plan as Node);
  } finally {
    await client.query('reset plan_cache_mode');
    client.release();
  }
}

test.each(['custom', 'generic'])(
  'links of a page are added to 100,000 targets without reading the others (%s plan)',
  async (mode) => {
    const known = Array.from({ length: 20 }, (_, at) => `page ${at + 1}`);
    const read = await explained(mode, targetsOf(...known, 'new 1', 'new 2', 'new 3'));
    // The known ones as they were, as they are written, and as they are looked for.
    expect(read).toBeLessThanOrEqual(4 * 23);
  },
);

test('units of a scan that end at the same time never exceed the most targets together', async () => {
  const id = await buildScan(TARGETS_LIMIT - 5);
  const add = (unit: number): Promise<number> =>
    database.db.transaction(async (tx) => {
      await findScanForUpdate(tx, id);
      const keys = Array.from({ length: 3 }, (_, at) => `${unit} ${at}`);
      return addTargets(tx, id, targetsOf(...keys));
    });
  const added = await Promise.all([1, 2, 3, 4].map(add));
  expect(added.toSorted()).toEqual([0, 0, 2, 3]);
  const { rows } = await database.db.pool.query(
    `select s.targets, (select count(*)::int from seo_scan_targets where scan_id = s.id) as written
     from seo_scans s where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ targets: TARGETS_LIMIT, written: 5 }]);
});
