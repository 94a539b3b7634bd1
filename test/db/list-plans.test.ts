import { articlePage } from '../../domain/articles/list.ts';
import { articleOrders } from '../../domain/articles/list-rows.ts';
import type { ArticleFilters, ArticleOrder } from '../../domain/articles/list-rows.ts';
import type { Site } from '../../domain/kernel/site.ts';
import type { Database } from '../../db/database.ts';
import type { Query } from '../../db/statements.ts';
import type { CoalescedQuery } from '../../db/throughput/coalesced-query.ts';
import { conditionalRead } from '../../db/throughput/conditional-reads.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let tenant: Tenant;
const category = '0197a0c4-0000-7000-8000-000000000001';
const tag = '0197a0c4-0000-7000-8000-000000000002';

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await buildTenant(database.db);
  const { pool } = database.db;
  const site = [tenant.siteId];
  await pool.query(
    `insert into categories (id, site_id, name, slug, created_at, updated_at) values ('${category}', $1, 'c', 'c', now(), now())`,
    site,
  );
  await pool.query(
    `insert into tags (id, site_id, name, slug, created_at, updated_at) values ('${tag}', $1, 't', 't', now(), now())`,
    site,
  );
  // Nothing is searched for here, and 100,000 articles take a while as they are.
  await pool.query('alter table articles disable trigger articles_words_of_new');
  await pool.query(
    `insert into articles (id, site_id, status, title, slug, content, category_id, external_id, origin, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, case when n % 3 = 0 then 'draft' else 'published' end, 'Title ' || n, 'slug-' || n, 'Text',
       case when n % 50 = 0 then '${category}'::uuid end, case when n % 10 = 0 then 'e' || n end,
       case n % 500 when 0 then 'generated' when 1 then 'assisted' else 'person' end,
       case when n % 3 <> 0 then now() - n * interval '1 minute' end, now() - n * interval '1 minute', now() - n * interval '1 second'
     from generate_series(1, 100000) n`,
    site,
  );
  await pool.query(
    `insert into article_tags (article_id, tag_id, site_id) select id, '${tag}', $1 from articles where category_id is not null`,
    site,
  );
  await pool.query('vacuum analyze articles, article_tags');
});
afterAll(() => database.drop());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly Plans?: readonly Node[];
}

/** The custom plans of the statements of a list. */
async function plansOf(
  order: ArticleOrder,
  filters: ArticleFilters,
  cursor?: string,
): Promise<{ nodes: Node[]; next: string | null }> {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const explain = async (text: string, values: readonly unknown[]): Promise<void> => {
    const { rows } = await database.db.pool.query(
      `explain (analyze, format json) ${text.replaceAll('$slonik_', '$')}`,
      values as unknown[],
    );
    visit(rows[0]['QUERY PLAN'][0].Plan as Node);
  };
  /** The generic plan, run with the values. */
  const explainPlannedOnce = async (text: string, values: readonly unknown[]): Promise<void> => {
    const client = await database.db.pool.connect();
    const given = values.map((value) =>
      client.escapeLiteral(Array.isArray(value) ? `{"${value.join('","')}"}` : String(value)),
    );
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare planned_once as ${text}`);
    const { rows } = await client.query(
      `explain (analyze, format json) execute planned_once(${given.join()})`,
    );
    client.release(true);
    visit(rows[0]['QUERY PLAN'][0].Plan as Node);
  };
  const spying = {
    any: async <Row>(query: Query<Row>) => {
      await explain(query.sql, query.values);
      return database.db.any(query);
    },
    // As it runs alone, and coalesced for three requests.
    async ifChanged<Row>(query: CoalescedQuery<Row>) {
      const { text, textForSets } = conditionalRead(query.read);
      const values = [...query.values, 'of other rows'];
      await explainPlannedOnce(text, values);
      await explainPlannedOnce(
        textForSets,
        values.map((value) => [value, value, value]),
      );
      return { signature: '', rows: await database.db.any(query) };
    },
  } as unknown as Database;
  const site = { id: tenant.siteId, cursorKey: Buffer.alloc(16) } as unknown as Site;
  const wanted = { order, filters, limit: 20, cursor };
  const { read, conditional } = articlePage(spying, site, wanted, 'brief');
  const page = conditional === null ? await read() : (await conditional.readIfChanged(null))?.result;
  return { nodes, next: page?.nextCursor ?? null };
}

const filters: readonly (readonly [string, ArticleFilters])[] = [
  ['no filter', {}],
  ['published', { status: ['published'] }],
  ['drafts', { status: ['draft'] }],
  ['a category', { category_id: category }],
  ['a tag', { tag_id: tag }],
  ['a slug', { slug: 'slug-77' }],
  ['an external id', { external_id: 'e70' }],
  ['an origin', { origin: ['generated'] }],
  ['two origins', { origin: ['assisted', 'generated'] }],
  ['a person’s', { origin: ['person'] }],
  ['what is new', { updated_since: new Date(Date.now() - 600_000) }],
];
const cases = articleOrders.flatMap((order) =>
  filters.map(([name, filter]) => [order, name, filter] as const),
);

test.each(cases)(
  'the list by %s with %s is read by an index, and so is the next page',
  async (order, _name, filter) => {
    const first = await plansOf(order, filter);
    const second = first.next === null ? { nodes: [] } : await plansOf(order, filter, first.next);
    for (const node of [...first.nodes, ...second.nodes]) {
      expect(`${node['Node Type']} ${node['Relation Name'] ?? ''}`).not.toBe('Seq Scan articles');
      // A filtered result may be sorted, but never the table.
      expect(node['Actual Rows'] ?? 0).toBeLessThanOrEqual(40_000);
    }
    const scans = first.nodes.filter((node) => node['Relation Name'] === 'articles');
    expect(scans.length).toBeGreaterThan(0);
  },
);

test.each(articleOrders)(
  'few articles that AI wrote are found by %s without reading the others',
  async (order) => {
    for (const origin of [['generated'], ['assisted', 'generated']] as const) {
      const { nodes } = await plansOf(order, { origin });
      expect(nodes.map((node) => node['Index Name'])).toContain('articles_origin_idx');
    }
  },
);

test.each(articleOrders)('a page by %s after 9,000 rows reads no more rows than the first', async (order) => {
  let cursor: string | undefined;
  const site = { id: tenant.siteId, cursorKey: Buffer.alloc(16) } as unknown as Site;
  for (let row = 0; row < 9_000; row += 100) {
    const wanted = { order, filters: {}, limit: 100, cursor };
    cursor = (await articlePage(database.db, site, wanted, 'brief').read()).nextCursor ?? undefined;
  }
  const { nodes } = await plansOf(order, {}, cursor);
  for (const node of nodes) expect(node['Actual Rows'] ?? 0).toBeLessThanOrEqual(3 * 21);
});
