import type { Query } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createKey, KEY_LIMIT } from '../../domain/access/keys.ts';
import { askApproval, PENDING_LIMIT } from '../../domain/approvals/ask.ts';
import { operator } from '../../domain/audit/record.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

/** A Site with one key and approval less than its limits, and a hundred times as many ended ones. */
let database: TestDatabase;
let tenant: Tenant;
const now = new Date();

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await buildTenant(database.db);
  const run = (text: string) =>
    database.db.pool.query(
      text.replaceAll('$1', `'${tenant.siteId}'`).replaceAll('$2', `'${tenant.memberId}'`),
    );
  const { id } = await buildKey(database.db, tenant.siteId, tenant.memberId);
  const keys = (count: number, expires: string, revoked: string) =>
    run(`insert into api_keys (id, site_id, member_id, name, kind, key_prefix, scopes, created_at, expires_at, revoked_at)
      select gen_random_uuid(), $1, $2, 'Key', 'secret', 'svc_sk_', '{}', now(), ${expires}, ${revoked}
      from generate_series(1, ${count}) n`);
  await keys(KEY_LIMIT - 504, 'null', 'null');
  await keys(500, `now() + interval '1 day'`, 'null');
  await keys(50_000, `now() - interval '1 day'`, 'null');
  await keys(50_000, 'null', 'now()');
  await run(`
    insert into approvals (id, site_id, key_id, status, action, method, path, body_hash, created_at, expires_at)
    select gen_random_uuid(), $1, '${id}', s, 'key.create', 'POST', '/keys',
      case when s = 'pending' then '\\x00'::bytea end, now(), now() + interval '1 day'
    from generate_series(1, 20000) n,
      lateral (select case when n < ${PENDING_LIMIT} then 'pending' else 'expired' end) as s (s)`);
  await database.db.pool.query('vacuum analyze');
  asking = id;
}, 120_000);
afterAll(() => database.drop());

let asking: string;

interface Node {
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The maximum number of rows that a step of the count reads. */
async function rowsLookedAt(mode: string, work: (tx: Transaction) => Promise<unknown>): Promise<number> {
  const counts: Query[] = [];
  await database.db.transaction((tx) =>
    work({
      ...tx,
      one: ((query: Query) => {
        if (query.sql.includes('as count')) counts.push(query);
        return tx.one(query);
      }) as Transaction['one'],
    }),
  );
  expect(counts).toHaveLength(1);
  const [{ sql, values }] = counts as [Query];
  const client = await database.db.pool.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare counted as ${sql.replaceAll('$slonik_', '$')}`);
    const given = values.map((value) => client.escapeLiteral(String(value))).join(', ');
    const { rows } = await client.query(`explain (analyze, format json) execute counted(${given})`);
    await client.query('deallocate counted');
    const most = (node: Node): number =>
      Math.max(
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
        ...(node.Plans ?? []).map(most),
      );
    return most(rows[0]['QUERY PLAN'][0].Plan as Node);
  } finally {
    await client.query('reset plan_cache_mode');
    client.release();
  }
}

describe.each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  test('a new key reads the usable ones, not the ended ones', async () => {
    const key = {
      name: 'K',
      kind: 'secret',
      scopes: [],
      heldByAgent: false,
      draftsOnly: false,
      expiresAt: null,
    } as const;
    const { siteId, memberId } = tenant;
    const create = (tx: Transaction) => createKey({ tx, actor: operator, now }, { ...key, siteId, memberId });
    expect(await rowsLookedAt(mode, create)).toBeLessThanOrEqual(KEY_LIMIT);
    await database.db.pool.query(`update api_keys set revoked_at = now() where name = 'K'`);
  });

  test('a new approval reads the pending ones only', async () => {
    const wanted = { siteId: tenant.siteId, keyId: asking, body: null, targetVersion: null, target: null };
    const request = { ...wanted, action: 'key.create', method: 'POST', path: '/asked' } as const;
    const site = { id: tenant.siteId, organisationId: tenant.organisationId };
    const ask = (tx: Transaction) => askApproval({ tx, site, actor: operator, now }, request);
    expect(await rowsLookedAt(mode, ask)).toBeLessThanOrEqual(PENDING_LIMIT);
    await database.db.pool.query(`delete from approvals where path = '/asked'`);
  });
});
