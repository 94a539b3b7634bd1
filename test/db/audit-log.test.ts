import pg from 'pg';
import type { Site } from '../../domain/kernel/site.ts';
import { deleteOldContentRows, listAuditLog } from '../../domain/audit/log.ts';
import type { AuditFilters } from '../../domain/audit/log.ts';
import type { Query } from '../../db/statements.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const DAY = 24 * 60 * 60_000;
/** The numbers of old rows about content, of recent ones, and of rows that are kept for good. */
const [OLD, RECENT, KEPT] = [30, 20, 10];

let database: TestDatabase;
let site: Site;

beforeAll(async () => {
  database = await createTestDatabase();
  const { siteId, organisationId } = await buildTenant(database.db);
  site = { id: siteId, organisationId, cursorKey: Buffer.alloc(16) } as Site;
}, 120_000);
afterAll(() => database.drop());

const add = (count: number, age: string, content: boolean, of: 'site' | 'organisation' = 'site') =>
  database.db.pool.query(
    `insert into audit_log (
       id, organisation_id, site_id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, content
     )
     select uuidv7(), $1, $2, now() - $3::interval - n * interval '1 millisecond', 'key',
       md5((n % 100)::text)::uuid, 'A key', case when n % 100 = 0 then 'tag.delete' else 'article.update' end, 'article',
       md5(n::text)::uuid, $4
     from generate_series(1, $5::int) n`,
    [site.organisationId, of === 'site' ? site.id : null, age, content, count],
  );
const left = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.db.pool.query(
        `select case when not content then 'kept' when at < now() - interval '400 days' then 'old' else 'recent' end as what,
           count(*)::int from audit_log where actor_name = 'A key' group by what`,
      )
    ).rows.map(({ what, count }: { what: string; count: number }) => [what, count]),
  );

describe('rows about content', () => {
  beforeAll(async () => {
    await add(OLD, '401 days', true);
    await add(RECENT, '399 days', true);
    await add(KEPT, '900 days', false);
  });

  test('can be deleted by no role before 400 days, other rows never', async () => {
    const owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
    const application = database.db.pool;
    for (const condition of ['', 'where not content', `where content and at > now() - interval '400 days'`])
      for (const by of [owner, application])
        await expect(by.query(`delete from audit_log ${condition}`)).rejects.toThrow(/takes new rows only/);
    for (const by of [owner, application])
      for (const text of ['update audit_log set content = true', 'truncate audit_log'])
        await expect(by.query(text)).rejects.toThrow(/takes new rows only|permission denied/);
    await owner.end();
    expect(await left()).toEqual({ old: OLD, recent: RECENT, kept: KEPT });
  });

  test('are deleted in batches after 400 days, by the database’s clock if the worker’s is ahead', async () => {
    const ahead = new Date(Date.now() + 30 * DAY);
    const deleted: number[] = [];
    do deleted.push(await database.db.transaction((tx) => deleteOldContentRows(tx, ahead, 20)));
    while (deleted.at(-1) === 20);
    expect(deleted).toEqual([20, 10]);
    expect(await left()).toEqual({ recent: RECENT, kept: KEPT });
  });
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('with many rows', () => {
  beforeAll(async () => {
    for (let part = 0; part < 3; part += 1) await add(20_000, `${part + 1} days`, true);
    await add(20_000, '10 days', true, 'organisation');
    await database.db.pool.query('analyze audit_log');
  }, 120_000);

  const one = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
  const cases: readonly [string, AuditFilters][] = [
    ['nothing', {}],
    ['action', { action: 'tag.delete' }],
    ['actor_id', { actor_id: one }],
    ['target_id', { target_id: one }],
    ['since and until', { since: new Date(Date.now() - 2 * DAY), until: new Date() }],
    ['action and since', { action: 'tag.delete', since: new Date(Date.now() - 2 * DAY) }],
  ];

  test.each(cases)('a page filtered by %s is read by indexes, in its order', async (_name, filters) => {
    const asked: Query[] = [];
    const spy = {
      ...database.db,
      async any(query: Query) {
        asked.push(query);
        return database.db.any(query);
      },
    };
    await listAuditLog(spy as never, site, filters, { limit: 20 });
    const [query] = asked as [Query];
    const text = query.sql.replaceAll(/\$slonik_(\d+)/g, '$$$1');
    const { rows } = await database.db.pool.query(`explain (format json) ${text}`, [
      ...query.values,
    ] as never[]);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
    const reads = nodes.filter((node) => node['Relation Name'] === 'audit_log');
    expect(reads.map((node) => node['Node Type'])).toEqual(reads.map(() => 'Index Scan'));
    expect(reads).toHaveLength(3);
  });
});
