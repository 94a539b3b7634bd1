import { articlePage } from '../../domain/articles/list.ts';
import type { ArticleFilters } from '../../domain/articles/list-rows.ts';
import type { Site } from '../../domain/kernel/site.ts';
import { indexWaiting } from '../../domain/search/index-articles.ts';
import type { Database } from '../../db/database.ts';
import type { Query } from '../../db/statements.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const OWN = 3_000;
const OTHERS = 5_000;
let database: TestDatabase;
let siteId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  siteId = (await buildTenant(database.db)).siteId;
  const other = (await buildTenant(database.db)).siteId;
  for (const [site, count] of [
    [siteId, OWN],
    [other, OTHERS],
  ] as const)
    await database.db.pool.query(
      `insert into articles (id, site_id, status, title, content, created_at, updated_at)
       select uuidv7(), $1, 'draft', 'Number ' || n, 'Bread and water' || case when n % 100 = 0 then ' rarely' else '' end
           || case when n <= 2500 then ' formerly' else '' end, now(), now() + n * interval '1 second'
       from generate_series(1, $2::int) n`,
      [site, count],
    );
  // A few stay to be read.
  await database.db.pool.query('update article_search set indexed = true where random() < 0.99');
  await indexWaiting(database.db);
  await database.db.pool.query('vacuum analyze articles, article_search');
});
afterAll(() => database.drop());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The nodes of the statement that reads the page, planned for its values or for any. */
async function nodesOf(filters: ArticleFilters, mode: 'custom' | 'generic'): Promise<Node[]> {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const spying = {
    async any<Row>(query: Query<Row>) {
      if (query.sql.includes('article_search')) {
        const client = await database.db.pool.connect();
        const given = query.values.map((value) => client.escapeLiteral(String(value)));
        await client.query(`set plan_cache_mode = force_${mode}_plan`);
        await client.query(`prepare searching as ${query.sql.replaceAll('$slonik_', '$')}`);
        const { rows } = await client.query(
          `explain (analyze, format json) execute searching(${given.join()})`,
        );
        client.release(true);
        visit(rows[0]['QUERY PLAN'][0].Plan as Node);
      }
      return database.db.any(query);
    },
    until: () => spying,
  } as unknown as Database;
  const site = { id: siteId, cursorKey: Buffer.alloc(16) } as unknown as Site;
  await articlePage(
    spying,
    site,
    { order: 'updated_at.desc', filters, limit: 20, cursor: undefined },
    'brief',
  ).read();
  expect(nodes.length).toBeGreaterThan(0);
  return nodes;
}

const rowsRead = (node: Node): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0);
const ofTable = (nodes: readonly Node[], table: string) =>
  nodes.filter((node) => node['Relation Name'] === table);
const sum = (nodes: readonly Node[]): number => nodes.reduce((total, node) => total + rowsRead(node), 0);

describe.each(['custom', 'generic'] as const)('with a %s plan', (mode) => {
  test.each([
    ['a frequent word', { q: 'bread water' }, 250],
    ['a rare word', { q: 'rarely bread' }, 600],
    ['a word that is not there', { q: 'nothing' }, 600],
    ['a word of old articles only', { q: 'formerly' }, OWN + 3_500],
    ['a phrase of frequent words that is not there', { q: '"water bread"' }, 2 * OWN + 600],
    ['what a short beginning finds', { q: 'rarely b' }, 1_400],
    ['a word with a filter', { q: 'rarely', status: ['draft'] as const }, 600],
  ])('%s is found without reading rows of another Site', async (_what, filters, most) => {
    const nodes = await nodesOf(filters, mode);
    for (const node of nodes) expect(node['Node Type']).not.toBe('Seq Scan');
    expect(sum(ofTable(nodes, 'article_search'))).toBeLessThanOrEqual(most);
    expect(sum(ofTable(nodes, 'articles'))).toBeLessThanOrEqual(most);
  });
});

test('an index entry of a word belongs to one Site', async () => {
  const nodes = await nodesOf({ q: 'formerly' }, 'generic');
  const looked = nodes.filter((node) => node['Index Name'] === 'article_search_keys_idx');
  expect(looked.length).toBeGreaterThan(0);
  // Without what waits to be indexed.
  for (const node of looked) expect(node['Actual Rows']).toBeLessThanOrEqual(2_500);
});
