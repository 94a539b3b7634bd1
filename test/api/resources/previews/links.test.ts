import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const clock = new TestClock();
let tenant: Tenant;
let articleId: string;
let path: string;
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  articleId = (await buildArticle(api, tenant.secretKey, { title: 'Tea', content: '*Hot*' })).id;
  path = `/articles/${articleId}/preview-links`;
});

const send = (method: string, to: string, options: { body?: unknown; idempotencyKey?: string } = {}) =>
  api.request(method, to, { key: tenant.secretKey, ...options });
const outcome = ({ status, json }: Answer) => `${status} ${json?.error?.code ?? 'OK'}`;
const open = (url: string): Promise<Answer> => api.request('GET', url);

test('a link has an address with a token, and lasts seven days by default', async () => {
  clock.freeze();
  const { status, data, headers } = await send('POST', path);
  expect(status).toBe(201);
  expect(Object.keys(data).toSorted()).toEqual(['created_at', 'expires_at', 'id', 'url']);
  expect(data.url).toMatch(new RegExp(`^${api.origin}/preview/[A-Za-z0-9_-]{43}$`));
  expect(data.created_at).toBe(clock.now().toISOString());
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(604_800_000);
  expect(headers.get('cache-control')).toBe('no-store');
  expect([headers.get('location'), headers.get('etag')]).toEqual([
    `${api.origin}/v1${path}/${data.id}`,
    null,
  ]);
});

test.each([60, 2_592_000])('expires_in may be %d seconds', async (seconds) => {
  const { data } = await send('POST', path, { body: { expires_in: seconds } });
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(seconds * 1_000);
});

test.each([59, 2_592_001, 0, -1, 60.5, '60', null])('expires_in of %j is 422', async (seconds) => {
  const answer = await send('POST', path, { body: { expires_in: seconds } });
  expect(outcome(answer)).toBe('422 VALIDATION_FAILED');
  expect(Object.keys(answer.json.error.fields)).toEqual(['expires_in']);
});

test('the token is in no other answer, and not in the database', async () => {
  const { data } = await send('POST', path);
  const token = data.url.split('/').at(-1);
  const list = await send('GET', path);
  expect(list.data).toEqual({
    items: [{ id: data.id, expires_at: data.expires_at, created_at: data.created_at }],
    next_cursor: null,
  });
  for (const table of ['preview_links', 'audit_log', 'idempotency_records', 'outbox']) {
    const { rows } = await api.db.pool.query(`select t::text as text from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(token);
  }
});

test('a replay has the same link without its address, and makes no second one', async () => {
  const first = await send('POST', path, { idempotencyKey: 'once' });
  const again = await send('POST', path, { idempotencyKey: 'once' });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.data).toEqual({ ...first.data, url: null });
  expect((await send('GET', path)).data.items).toHaveLength(1);
});

test('the links of an article are listed newest first, page by page, without those of another or expired ones', async () => {
  await send('POST', path, { body: { expires_in: 60 } });
  clock.advance(61_000);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await send('POST', path)).data.id);
  const other = await buildArticle(api, tenant.secretKey);
  await send('POST', `/articles/${other.id}/preview-links`);
  const listed: string[] = [];
  let query = '?limit=2';
  for (;;) {
    const { data } = await send('GET', path + query);
    listed.push(...data.items.map(({ id }: { id: string }) => id));
    if (data.next_cursor === null) break;
    query = `?limit=2&cursor=${data.next_cursor}`;
  }
  expect(listed).toEqual(ids);
});

test('a deleted link shows nothing any more, and is 404', async () => {
  const { data } = await send('POST', path);
  expect((await open(data.url)).status).toBe(200);
  expect((await send('DELETE', `${path}/${data.id}`)).status).toBe(204);
  expect((await open(data.url)).status).toBe(404);
  expect(outcome(await send('DELETE', `${path}/${data.id}`))).toBe('404 NOT_FOUND');
});

test('a link is deleted only by its own article, and not after it has expired', async () => {
  const { data } = await send('POST', path, { body: { expires_in: 60 } });
  const other = await buildArticle(api, tenant.secretKey);
  const elsewhere = `/articles/${other.id}/preview-links/${data.id}`;
  expect(outcome(await send('DELETE', elsewhere))).toBe('404 NOT_FOUND');
  clock.advance(61_000);
  expect(outcome(await send('DELETE', `${path}/${data.id}`))).toBe('404 NOT_FOUND');
});

test('deleting an article deletes its links', async () => {
  const { data } = await send('POST', path);
  expect((await send('DELETE', `/articles/${articleId}`)).status).toBe(204);
  expect((await open(data.url)).status).toBe(404);
  const { rows } = await api.db.pool.query('select from preview_links where article_id = $1', [articleId]);
  expect(rows).toHaveLength(0);
});

test('an unknown article is 404 for each of the three', async () => {
  const unknown = '/articles/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11/preview-links';
  expect(outcome(await send('POST', unknown))).toBe('404 NOT_FOUND');
  expect(outcome(await send('GET', unknown))).toBe('404 NOT_FOUND');
  expect(outcome(await send('DELETE', `${unknown}/${articleId}`))).toBe('404 NOT_FOUND');
});

test('publishable keys are refused', async () => {
  const answer = await api.request('GET', path, { key: tenant.publishableKey });
  expect(outcome(answer)).toBe('403 INSUFFICIENT_SCOPE');
});

test('with preview_url, the address is that template filled in, and the token works at the service', async () => {
  await api.db.pool.query(
    `update sites set preview_url = 'https://blog.example.com/draft/{slug}?t={token}&again={token}' where id = $1`,
    [tenant.siteId],
  );
  const { data } = await send('POST', path);
  const [, token] = /^https:\/\/blog\.example\.com\/draft\/tea\?t=([\w-]{43})&again=\1$/.exec(data.url) ?? [];
  expect((await open(`${api.origin}/preview/${token}`)).status).toBe(200);
});

test.each([
  ['a Site', 10_000],
  ['an article', 200],
])('the link beyond the limit of %s is 409; an expired one leaves its place', async (_, limit) => {
  // Those of a Site belong to another article.
  const linked = limit === 200 ? articleId : (await buildArticle(api, tenant.secretKey)).id;
  await api.db.pool.query(
    `insert into preview_links (id, site_id, article_id, token_hash, created_at, expires_at)
     select uuidv7(), $1, $2, sha256(uuidv7()::text::bytea), now(), $3::timestamptz + n * interval '1 minute'
     from generate_series(1, $4::int) n`,
    [tenant.siteId, linked, clock.now(), limit],
  );
  const answer = await send('POST', path);
  expect(outcome(answer)).toBe('409 CONFLICT');
  expect(answer.json.error.message).toMatch(new RegExp(`${limit} preview links.*DELETE /articles`));
  clock.advance(61_000);
  expect((await send('POST', path)).status).toBe(201);
});
