import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { LINK_LIMIT } from '../../../../domain/seo/backlinks/import.ts';

const clock = new TestClock();
let tenant: Tenant;
let domain: string;
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  domain = (await send('GET', '/site')).data.domain;
});

const send = (method: string, to: string, options: { body?: unknown; idempotencyKey?: string } = {}) =>
  api.request(method, to, { key: tenant.secretKey, ...options });
const outcome = ({ status, json }: Answer) => `${status} ${json?.error?.code ?? 'OK'}`;
const importFile = (csv: string, source?: string): Promise<Answer> =>
  send('POST', '/seo/backlinks/import', { body: { csv, source } });
const list = async (query = ''): Promise<any[]> => (await send('GET', `/seo/backlinks${query}`)).data.items;
const generic = (...lines: string[]): string => ['source_url,target_url', ...lines].join('\n');

test('a link has the members of the contract, and is known again by its two addresses', async () => {
  clock.freeze();
  const csv = `source_url,target_url,anchor,rel\nhttps://a.example.org/x,https://${domain}/,A text,"nofollow ugc"`;
  const first = await importFile(csv);
  expect(first.status).toBe(200);
  expect(first.data).toEqual({ source: 'generic', added: 1, updated: 0, rejected: [], rejected_total: 0 });
  const [link] = await list();
  expect(link).toEqual({
    id: expect.any(String),
    source_url: 'https://a.example.org/x',
    target_url: `https://${domain}/`,
    anchor: 'A text',
    rel: ['nofollow', 'ugc'],
    article_id: null,
    status: 'unknown',
    first_seen_at: clock.now().toISOString(),
    last_seen_at: clock.now().toISOString(),
    checked_at: null,
  });
  clock.advance(60_000);
  expect((await importFile(generic(`https://a.example.org/x,https://${domain}/`))).data).toMatchObject({
    added: 0,
    updated: 1,
  });
  // What a file does not tell stays as it was.
  expect(await list()).toEqual([{ ...link, last_seen_at: clock.now().toISOString() }]);
});

test('a link that a file names twice, or spells in two ways, is one link', async () => {
  const csv = generic(
    `https://a.example.org/x,https://${domain}/`,
    `https://A.Example.org:443/x,https://${domain}`,
    `https://a.example.org/x,https://${domain}/other`,
  );
  expect((await importFile(csv)).data).toMatchObject({ added: 2, updated: 0 });
  expect((await list()).map(({ source_url }) => source_url)).toEqual([
    'https://a.example.org/x',
    'https://a.example.org/x',
  ]);
});

test('a file without targets is about the home page', async () => {
  const { data } = await importFile('Linking page,Last crawled\nhttps://a.example.org/,2026-01-15\n');
  expect(data).toMatchObject({ source: 'search_console', added: 1 });
  expect(await list()).toMatchObject([
    { target_url: `https://${domain}/`, first_seen_at: '2026-01-15T00:00:00.000Z', rel: [], anchor: null },
  ]);
});

test('lines that are no links are rejected with their physical line, and the others are imported', async () => {
  const csv = `source_url,target_url,anchor\r\n\r\nhttps://a.example.org/,https://${domain}/,"two\r\nlines"\r\nnonsense,https://${domain}/,x\r\n,https://${domain}/,x\r\nhttps://b.example.org/,ftp://${domain}/,x\r\nhttps://c.example.org/,,x`;
  const { data } = await importFile(csv);
  expect(data).toMatchObject({ added: 1, updated: 0, rejected_total: 4 });
  expect(data.rejected.map(({ line }: { line: number }) => line)).toEqual([5, 6, 7, 8]);
  for (const { message } of data.rejected) expect(message).toMatch(/^has /);
});

test('an answer names the first 100 rejected lines, and says how many there are', async () => {
  const { data } = await importFile(generic(...Array.from({ length: 150 }, (_, at) => `bad ${at},x`)));
  expect(data.rejected).toHaveLength(100);
  expect(data).toMatchObject({ added: 0, rejected_total: 150 });
});

test.each([
  ['nothing', ''],
  ['a text', 'Hello'],
  ['unknown columns', 'one,two\n1,2'],
  [
    'no header',
    'https://a.example.org/,https://b.example.org/\nhttps://c.example.org/,https://b.example.org/',
  ],
  ['sites without addresses', 'Site,Linking pages,Target pages\nexample.org,3,1'],
  ['source_url alone', 'source_url\nhttps://a.example.org/'],
])('a file with %s is 422 on csv', async (_, csv) => {
  const answer = await importFile(csv);
  expect(outcome(answer)).toBe('422 VALIDATION_FAILED');
  expect(Object.keys(answer.json.error.fields)).toEqual(['csv']);
});

test('the list of the own pages of Search Console has no sources, and is 422', async () => {
  const csv = `Target page,Incoming links,Linking sites\nhttps://${domain}/,2,1\nhttps://${domain}/a,3,1`;
  const answer = await importFile(csv);
  expect(answer.json.error.fields.csv).toMatch(/linking pages/);
});

test.each([{}, { csv: 7 }, { csv: 'a', source: 'moz' }, { csv: 'a', extra: 1 }, { csv: null }])(
  'a body of %j is 422',
  async (body) => {
    expect(outcome(await send('POST', '/seo/backlinks/import', { body }))).toBe('422 VALIDATION_FAILED');
  },
);

test('a source that is not the file’s is 422, and the file’s own is accepted', async () => {
  const csv = 'Linking page\nhttps://a.example.org/';
  expect(outcome(await importFile(csv, 'ahrefs'))).toBe('422 VALIDATION_FAILED');
  expect((await importFile(csv, 'search_console')).data).toMatchObject({
    source: 'search_console',
    added: 1,
  });
  expect(outcome(await importFile(csv, 'generic'))).toBe('422 VALIDATION_FAILED');
});

test('a link to the page of an article has its id until the article is deleted', async () => {
  const article = await buildArticle(api, tenant.secretKey, { slug: 'green-tea' });
  const targets = ['green-tea', 'green-tea/?utm=1#top', 'other', 'tags/green-tea', ''];
  await importFile(generic(...targets.map((path) => `https://a.example.org/,https://${domain}/${path}`)));
  const shown = (await list()).map(({ target_url, article_id }) => [target_url, article_id]);
  expect(Object.fromEntries(shown)).toEqual({
    [`https://${domain}/green-tea`]: article.id,
    [`https://${domain}/green-tea/?utm=1#top`]: article.id,
    [`https://${domain}/other`]: null,
    [`https://${domain}/tags/green-tea`]: null,
    [`https://${domain}/`]: null,
  });
  expect(await list(`?article_id=${article.id.toUpperCase()}`)).toHaveLength(2);
  await send('DELETE', `/articles/${article.id}`);
  expect((await list()).every(({ article_id }) => article_id === null)).toBe(true);
  expect(await list(`?article_id=${article.id}`)).toHaveLength(0);
});

test('domain filters the host of the source and its subdomains, and nothing that only ends like it', async () => {
  const hosts = [
    'example.org',
    'blog.example.org',
    'a.b.example.org',
    'badexample.org',
    'example.org.evil.net',
  ];
  await importFile(generic(...hosts.map((host) => `https://${host}/,https://${domain}/`)));
  const found = async (asked: string) =>
    (await list(`?domain=${asked}`)).map(({ source_url }) => new URL(source_url).hostname).toSorted();
  expect(await found('example.org')).toEqual(['a.b.example.org', 'blog.example.org', 'example.org']);
  expect(await found('EXAMPLE.org')).toHaveLength(3);
  expect(await found('b.example.org')).toEqual(['a.b.example.org']);
  expect(await found('org')).toHaveLength(4);
  expect(await found('ample.org')).toEqual([]);
});

test.each([
  '?domain=',
  '?domain=https%3A%2F%2Fa.example',
  '?domain=a%20b',
  '?status=gone',
  '?article_id=7',
  '?x=1',
])('the query %s is 400', async (query) => {
  expect(outcome(await send('GET', `/seo/backlinks${query}`))).toBe('400 INVALID_REQUEST');
});

test('status may be repeated, and pages follow each other without gaps', async () => {
  const sources = Array.from({ length: 7 }, (_, at) => `https://a.example.org/${at},https://${domain}/`);
  await importFile(generic(...sources));
  await api.db.pool.query(
    "update backlinks set status = 'lost' where site_id = $1 and source_url like '%/3'",
    [tenant.siteId],
  );
  expect(await list('?status=lost')).toHaveLength(1);
  expect(await list('?status=live')).toHaveLength(0);
  expect(await list('?status=lost&status=unknown')).toHaveLength(7);
  const seen: string[] = [];
  for (let query = '?limit=3'; ;) {
    const { data } = await send('GET', `/seo/backlinks${query}`);
    seen.push(...data.items.map(({ id }: { id: string }) => id));
    if (data.next_cursor === null) break;
    query = `?limit=3&cursor=${data.next_cursor}`;
  }
  expect(new Set(seen).size).toBe(7);
  expect(seen).toEqual(seen.toSorted().toReversed());
});

test('a deleted link is gone, and the next import adds it again', async () => {
  const csv = generic(`https://a.example.org/,https://${domain}/`);
  await importFile(csv);
  const [{ id }] = await list();
  expect((await send('DELETE', `/seo/backlinks/${id}`)).status).toBe(204);
  expect(outcome(await send('DELETE', `/seo/backlinks/${id}`))).toBe('404 NOT_FOUND');
  expect((await importFile(csv)).data).toMatchObject({ added: 1, updated: 0 });
});

test('what a scan has found stays when a link is imported again', async () => {
  const csv = generic(`https://a.example.org/,https://${domain}/`);
  await importFile(csv);
  await api.db.pool.query("update backlinks set status = 'live', checked_at = now() where site_id = $1", [
    tenant.siteId,
  ]);
  await importFile(csv);
  expect(await list()).toMatchObject([{ status: 'live', checked_at: expect.any(String) }]);
});

test('a replay gives the first answer, and imports nothing', async () => {
  const body = { csv: generic(`https://a.example.org/,https://${domain}/`) };
  const first = await send('POST', '/seo/backlinks/import', { body, idempotencyKey: 'once' });
  const again = await send('POST', '/seo/backlinks/import', { body, idempotencyKey: 'once' });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.data).toEqual(first.data);
  const other = await send('POST', '/seo/backlinks/import', {
    body: { csv: generic(`https://b.example.org/,https://${domain}/`) },
    idempotencyKey: 'once',
  });
  expect(outcome(other)).toBe('409 IDEMPOTENCY_KEY_CONFLICT');
});

test('of ten imports of the same file at a time, each link is added by one', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `https://a.example.org/${at},https://${domain}/`);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => importFile(generic(...(at % 2 ? lines : lines.toReversed())))),
  );
  expect(answers.map(outcome)).toEqual(Array.from({ length: 10 }, () => '200 OK'));
  const total = (name: string) => answers.reduce((sum, { data }) => sum + data[name], 0);
  expect([total('added'), total('updated')]).toEqual([300, 2_700]);
});

test('an import that would exceed the limit of a Site is 409, and imports nothing', async () => {
  await api.db.pool.query(
    `insert into backlinks (id, site_id, link_key, source_url, target_url, reversed_host, status, first_seen_at, last_seen_at)
     select uuidv7(), $1, gen_random_uuid(), 'https://a.example.org/', 'https://b.example/', 'org.', 'unknown', now(), now()
     from generate_series(1, $2)`,
    [tenant.siteId, LINK_LIMIT - 1],
  );
  const two = generic(
    `https://x.example.org/,https://${domain}/`,
    `https://y.example.org/,https://${domain}/`,
  );
  expect(outcome(await importFile(two))).toBe('409 CONFLICT');
  expect(await list('?domain=x.example.org')).toHaveLength(0);
  const one = generic(`https://x.example.org/,https://${domain}/`);
  expect((await importFile(one)).data).toMatchObject({ added: 1 });
  expect((await importFile(one)).data).toMatchObject({ updated: 1 });
});

test('a file that says nothing new writes no row again', async () => {
  clock.freeze();
  const csv = `source_url,target_url,anchor\nhttps://a.example.org/x,https://${domain}/,A text`;
  const versions = async () =>
    (await api.db.pool.query('select xmin::text, anchor from backlinks where site_id = $1', [tenant.siteId]))
      .rows;
  await importFile(csv);
  const before = await versions();
  expect((await importFile(csv)).data).toMatchObject({ added: 0, updated: 1 });
  expect(await versions()).toEqual(before);
  await importFile(csv.replace('A text', 'Another'));
  expect(await versions()).toEqual([{ xmin: expect.any(String), anchor: 'Another' }]);
});

test('a file of more than 25,000 lines is 422', async () => {
  const lines = Array.from({ length: 25_001 }, (_, at) => `http://a.de/${at},http://b.de`);
  const answer = await importFile(generic(...lines));
  expect(answer.json.error.fields.csv).toMatch(/25,000/);
});

test('one row of the audit log tells of an import, and none of one without links', async () => {
  await importFile(generic('nonsense,x'));
  await importFile(generic(`https://a.example.org/,https://${domain}/`));
  const { data } = await send('GET', '/audit-log?action=backlinks.import');
  expect(data.items).toHaveLength(1);
  expect(data.items[0].details).toEqual({ source: 'generic', added: 1, updated: 0, rejected: 0 });
});
