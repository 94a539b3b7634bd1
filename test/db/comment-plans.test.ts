import { EndOfTransaction } from '../../db/transaction.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Query } from '../../db/statements.ts';
import type { Site } from '../../domain/kernel/site.ts';
import type { Purging } from '../../domain/purge/purge.ts';
import { operator } from '../../domain/audit/record.ts';
import { listComments } from '../../domain/comments/comment.ts';
import type { CommentFilters } from '../../domain/comments/comment.ts';
import { deleteComment, eraseAuthor, sweepSpam } from '../../domain/comments/remove.ts';
import { readCounts } from '../../domain/comments/site-comments.ts';
import { readSubmissionContext } from '../../domain/comments/submission-context.ts';
import { deleteOldSubmissions } from '../../domain/comments/submission-log.ts';
import { readPostComments } from '../../domain/comments/thread.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

/**
 * A Site with 160,000 comments on 5,000 articles: `article-1` has 10,000 of them to be shown, `article-2` has 100, and
 * before these a hidden thread of 10,000.
 */
let database: TestDatabase;
let site: Site;
let purging: Purging;
const now = new Date();

const article = (number: number): string => `0197a0c4-0000-7000-8000-${String(number).padStart(12, '0')}`;
const ROOT = '0197a0c4-1111-7000-8000-000000000000';

beforeAll(async () => {
  database = await createTestDatabase();
  const { siteId, organisationId } = await buildTenant(database.db);
  site = { id: siteId, organisationId, cursorKey: Buffer.alloc(16) } as Site;
  purging = { site, db: database.db, purger: null };
  const run = (text: string) => database.db.pool.query(text.replaceAll('$1', `'${siteId}'`));
  await run(`
    insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
    select ('0197a0c4-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'published', 'Title', 'article-' || n, 'Text',
      now() - interval '1 year', now(), now()
    from generate_series(1, 5000) n`);
  await run(`insert into site_comments (site_id, enabled, moderation) values ($1, true, 'none')`);
  const columns =
    'id, site_id, article_id, parent_id, status, is_public, author_name, author_email, body, created_at, updated_at';
  const add = (rows: string) => run(`insert into comments (${columns}, spam_marked_at) ${rows}`);
  const time = `now() - interval '90 days'`;
  await add(
    `select '${ROOT}', $1, '${article(2)}', null, 'pending', false, 'Ada', null, 'Root', ${time}, ${time}, null`,
  );
  const fill = (count: number, target: string, parent: string, isPublic: boolean, from: string) =>
    add(`select uuidv7(), $1, ${target}, ${parent}, 'approved', ${isPublic}, 'Ada', null, 'Comment ' || n, t, t, null
      from generate_series(1, ${count}) n, lateral (select ${from} + n * interval '1 second') as t (t)`);
  await fill(10_000, `'${article(2)}'`, `'${ROOT}'`, false, time);
  await fill(100, `'${article(2)}'`, 'null', true, `now() - interval '60 days'`);
  await fill(10_000, `'${article(1)}'`, 'null', true, `now() - interval '60 days'`);
  // In parts, each within the statement time-out.
  for (let part = 0; part < 4; part += 1)
    await add(`
    select uuidv7(), $1, ('0197a0c4-0000-7000-8000-' || lpad((3 + n % 4998)::text, 12, '0'))::uuid, null, s, s = 'approved', 'Ada',
      case when n % 2 = 0 then 'reader' || n || '@example.com' end, 'Comment ' || n, t, t, case when s = 'spam' then t end
    from generate_series(${part * 35_000 + 1}, ${part * 35_000 + 35_000}) n,
      lateral (select now() - n * interval '10 seconds') as t (t),
      lateral (select case when n % 1000 = 0 then 'spam' when n % 777 = 0 then 'pending' else 'approved' end) as s (s)`);
  await run(`
    insert into comment_submissions (comment_id, site_id, article_id, content_hash, reader_hash, created_at)
    select gen_random_uuid(), $1, '${article(1)}', sha256(('c' || n)::bytea), sha256(('r' || n)::bytea), now() - n * interval '2 seconds'
    from generate_series(1, 80000) n`);
  await run(`insert into reader_salts (day, salt) values (current_date, sha256('x'))`);
  await database.db.pool.query('vacuum analyze');
}, 240_000);
afterAll(() => database.drop());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** A bound value as SQL text. */
const text = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map((member) => JSON.stringify(member)).join(',')}}` : String(value);

/** Runs statements on one connection, rolled back at the end, and collects their plans. */
async function nodesOf(mode: string, work: (tx: Transaction) => Promise<unknown>): Promise<Node[]> {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const client = await database.db.pool.connect();
  const literal = (value: unknown): string =>
    value === null
      ? 'null'
      : client.escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : text(value));
  const runOne = async ({ sql, values }: Query): Promise<any[]> => {
    const prepared = sql.replaceAll('$slonik_', '$');
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    await client.query(`prepare planned as ${prepared}`);
    await client.query('savepoint planned');
    const { rows } = await client.query(`explain (analyze, format json) execute planned${given}`);
    await client.query('rollback to savepoint planned');
    visit(rows[0]['QUERY PLAN'][0].Plan as Node);
    const result = await client.query(`execute planned${given}`);
    await client.query('deallocate planned');
    return result.rows;
  };
  let last: Promise<unknown> = Promise.resolve();
  const run = (query: Query): Promise<any[]> => {
    const rows = last.then(() => runOne(query));
    last = rows;
    return rows;
  };
  const tx = {
    any: run,
    one: async (query: Query) => (await run(query))[0],
    maybeOne: async (query: Query) => (await run(query))[0] ?? null,
    exec: async (query: Query) => (await run(query)).length,
    atCommit: run,
    add(...effect: Parameters<Transaction['add']>) {
      const end = new EndOfTransaction();
      end.add(...effect);
      for (const { query } of end.statements) void run(query);
    },
  } as unknown as Transaction;
  try {
    await client.query(`begin; set local plan_cache_mode = ${mode}`);
    await work(tx);
    await last;
  } finally {
    await client.query('rollback');
    client.release();
  }
  return nodes;
}

/** No growing table is read sequentially, and no more rows than the answer needs. */
function expectFew(nodes: readonly Node[], rows: number): void {
  expect(nodes.length).toBeGreaterThan(0);
  for (const node of nodes) {
    expect(`${node['Node Type']} ${node['Relation Name'] ?? ''}`).not.toMatch(
      /^Seq Scan (comments|comment_submissions|articles)$/,
    );
    expect((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(rows);
  }
}

const filters: readonly (readonly [string, CommentFilters])[] = [
  ['no filter', {}],
  ['approved', { status: 'approved' }],
  ['pending', { status: 'pending' }],
  ['spam', { status: 'spam' }],
  ['a slug', { slug: 'article-1' }],
  ['a slug without matching comments', { slug: 'article-1', status: 'pending' }],
];

describe.each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  test.each(filters)(
    'the moderation page with %s is read by an index, and so is the next page',
    async (_name, filter) => {
      let cursor: string | undefined;
      for (let page = 0; page < 2; page += 1) {
        const nodes = await nodesOf(mode, async (tx) => {
          cursor = (await listComments(tx, site, filter, { limit: 50, cursor })).nextCursor ?? undefined;
        });
        expectFew(nodes, 200);
      }
    },
  );

  test('no comment is read for the counts', async () => {
    const nodes = await nodesOf(mode, (tx) => readCounts(tx, site.id));
    expect(nodes.filter((node) => node['Relation Name'] === 'comments')).toEqual([]);
  });

  test.each(['article-1', 'article-2'])(
    'the public read of %s only reads the rows it returns, on a deep page as on the first',
    async (slug) => {
      let cursor: string | undefined;
      const pages = slug === 'article-1' ? 60 : 1;
      for (let page = 0; page < pages; page += 1) {
        const nodes = await nodesOf(mode, async (tx) => {
          const { page: read } = await readPostComments(tx, site, slug, cursor, now);
          expect(read.items).toHaveLength(100);
          cursor = read.nextCursor ?? undefined;
        });
        expectFew(nodes, 101);
      }
      expect(cursor === undefined).toBe(slug === 'article-2');
    },
  );

  test('a submission reads no more rows than its limits count', async () => {
    const submission = {
      slug: 'article-1',
      body: 'New.',
      authorName: 'Ada',
      authorEmail: 'ada@example.com',
      parentId: ROOT,
      reader: { digest: Buffer.alloc(32) },
    };
    expectFew(await nodesOf(mode, (tx) => readSubmissionContext(tx, site.id, submission, now)), 400);
  });

  test('deleting, erasing, sweeping and cleaning the log only read the rows they delete', async () => {
    const { rows } = await database.db.pool.query(
      `select id, author_email from comments where author_email is not null and status = 'approved' limit 1`,
    );
    const changeBy = (tx: Transaction) => ({ tx, site, actor: operator, now });
    expectFew(await nodesOf(mode, (tx) => deleteComment(changeBy(tx), purging, rows[0].id)), 10);
    expectFew(await nodesOf(mode, (tx) => eraseAuthor(changeBy(tx), purging, rows[0].author_email)), 10);
    expectFew(await nodesOf(mode, (tx) => sweepSpam(tx, now, 200)), 400);
    expectFew(await nodesOf(mode, (tx) => deleteOldSubmissions(tx, now, 500)), 500);
  });
});
