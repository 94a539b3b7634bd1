import type { Query } from '../../../../db/statements.ts';
import type { Site } from '../../../../domain/kernel/site.ts';
import { listRevisions } from '../../../../domain/articles/revisions.ts';
import { useApi } from '../../../support/api.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi({}, { ownDatabase: 'it measures a table, and empties it' });
let tenant: Tenant;

beforeEach(async () => {
  await api.db.pool.query('truncate article_revisions');
  tenant = await buildTenant(api.db);
});

/** Words as frequent as in prose: the common ones are short. @param seed of the sequence */
function prose(characters: number, seed: number): string {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const words: string[] = [];
  for (let length = 0; length < characters; length += (words.at(-1) as string).length + 1) {
    const rank = Math.floor(5_000 ** next());
    words.push(
      rank.toString(36).replaceAll(/\d/g, (digit) => 'etaoinshrd'[Number(digit)] as string) +
        'e'.repeat(rank % 4),
    );
  }
  return words.join(' ').slice(0, characters);
}

const patch = async (id: string, body: object): Promise<number> => {
  const { status, headers } = await api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body });
  expect(status).toBe(200);
  return Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);
};
const read = (id: string, number: number) =>
  api.request('GET', `/articles/${id}/revisions/${number}`, { key: tenant.secretKey });
const kilobytes = async (): Promise<number> => {
  const { rows } = await api.db.pool.query(
    `select pg_total_relation_size('article_revisions') / 1024 as size`,
  );
  return Number(rows[0].size);
};
const rowsOf = async (id: string): Promise<{ number: number; whole: boolean }[]> =>
  (
    await api.db.pool.query(
      'select number, whole from article_revisions where article_id = $1 order by number',
      [id],
    )
  ).rows;

test('100 revisions of 20 KB of prose take less than 300 KB if each changes a sentence, and each is what it was', async () => {
  const before = await kilobytes();
  const paragraphs = Array.from({ length: 40 }, (_, index) => prose(500, index + 1));
  const { id } = await buildArticle(api, tenant.secretKey, { content: paragraphs.join('\n\n') });
  const contents = [paragraphs.join('\n\n')];
  for (let number = 2; number <= 100; number += 1) {
    paragraphs[(number * 7) % 40] = prose(500, 1_000 + number);
    const content = paragraphs.join('\n\n');
    expect(await patch(id, { content })).toBe(number);
    contents.push(content);
  }
  expect((await kilobytes()) - before).toBeLessThan(300);
  for (const [index, content] of contents.entries())
    expect((await read(id, index + 1)).data.article.content === content).toBe(true);
});

test('100 revisions of 20 KB of prose take less than half of their length even if each is another text', async () => {
  const before = await kilobytes();
  const { id } = await buildArticle(api, tenant.secretKey, { content: prose(20_000, 1) });
  for (let number = 2; number <= 100; number += 1) await patch(id, { content: prose(20_000, number) });
  expect((await kilobytes()) - before).toBeLessThan(1_000);
  expect((await read(id, 50)).data.article.content === prose(20_000, 50)).toBe(true);
});

test('the newest 100 are kept, whichever of them were stored as differences to deleted ones', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { content: prose(2_000, 1) });
  for (let number = 2; number <= 120; number += 1)
    await patch(id, { content: `${prose(2_000, 1)} ${number}` });
  const page = async (cursor = '') =>
    (await api.request('GET', `/articles/${id}/revisions?limit=60${cursor}`, { key: tenant.secretKey })).data;
  const first = await page();
  const second = await page(`&cursor=${first.next_cursor}`);
  const numbers = [...first.items, ...second.items].map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 120 - index));
  expect(second.next_cursor).toBeNull();
  expect((await read(id, 20)).status).toBe(404);
  expect((await read(id, 21)).data.article.content.endsWith(' 21')).toBe(true);
  const rows = await rowsOf(id);
  expect(rows.length).toBeLessThan(110);
  // What reading one costs is bounded.
  expect(
    Math.max(
      ...rows
        .map(({ whole }) => (whole ? 1 : 0))
        .join('')
        .split('1')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(9);
});

test('a change that stored no revision, as by an operator, changes none', async () => {
  const text = prose(2_000, 1);
  const { id } = await buildArticle(api, tenant.secretKey, { content: text });
  await api.db.pool.query(`update articles set content = $2, version = 2 where id = $1`, [
    id,
    `${text} behind`,
  ]);
  await patch(id, { content: `${text} after` });
  expect((await read(id, 1)).data.article.content === text).toBe(true);
  expect((await read(id, 3)).data.article.content === `${text} after`).toBe(true);
  expect(await rowsOf(id)).toEqual([1, 3].map((number) => ({ number, whole: true })));
});

test('an article that is older than revisions has none, and its next change stores one', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Old' });
  await api.db.pool.query('delete from article_revisions');
  const list = await api.request('GET', `/articles/${id}/revisions`, { key: tenant.secretKey });
  expect([list.status, list.data.items]).toEqual([200, []]);
  await patch(id, { title: 'New' });
  expect((await read(id, 2)).data).toMatchObject({ changed: ['title'], article: { title: 'New' } });
});

test('a list of 100 reads 100 rows by one index, and no body', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { content: prose(20_000, 1) });
  for (let number = 2; number <= 100; number += 1) await patch(id, { title: `Title ${number}` });
  // Of other articles, so that an index is worth it.
  await api.db.pool.query(
    `with others as (
       insert into articles (id, site_id, status, created_at, updated_at)
       select gen_random_uuid(), $1, 'draft', now(), now() from generate_series(1, 300) returning id
     )
     insert into article_revisions (article_id, number, site_id, created_at, actor_kind, actor_name, changed, tag_ids, digest, whole, body)
     select id, n, $1, now(), 'system', 'test', '{title}', '{}', '', true, '' from others, generate_series(1, 100) n`,
    [tenant.siteId],
  );
  await api.db.pool.query('analyze article_revisions');
  const nodes: Record<string, unknown>[] = [];
  const visit = (node: any): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const spying = {
    ...api.db,
    async any<Row>(query: Query<Row>) {
      const text = query.sql.replaceAll('$slonik_', '$');
      const { rows } = await api.db.pool.query(`explain (analyze, buffers, format json) ${text}`, [
        ...query.values,
      ]);
      visit(rows[0]['QUERY PLAN'][0].Plan);
      return api.db.any(query);
    },
  };
  const site = { id: tenant.siteId, cursorKey: Buffer.alloc(16) } as Site;
  const page = await listRevisions(spying, site, id, { limit: 100 });
  expect(page.items).toHaveLength(100);
  const reads = nodes.filter((node) => node['Relation Name'] === 'article_revisions');
  expect(reads).toMatchObject([{ 'Actual Rows': 100 }]);
  const indexes = nodes.map((node) => String(node['Index Name']));
  expect(indexes.filter((name) => name.startsWith('article'))).toEqual(['article_revisions_pkey']);
  // The bodies are in another table.
  expect(Number(reads[0]?.['Shared Hit Blocks']) + Number(reads[0]?.['Shared Read Blocks'])).toBeLessThan(50);
});
