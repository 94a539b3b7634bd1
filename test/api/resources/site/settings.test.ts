import { publicFolder } from '../../../../domain/media/reservation.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const read = (key = tenant.secretKey): Promise<Answer> => api.request('GET', '/site', { key });
const patch = (
  body: unknown,
  key = tenant.secretKey,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request('PATCH', '/site', { key, body, headers });
const audited = async () =>
  (await api.request('GET', '/audit-log?action=site.update', { key: tenant.secretKey })).data.items;

const paths = {
  article: '/{slug}',
  category: '/category/{slug}',
  tag: '/tag/{slug}',
  author: '/author/{slug}',
};

test('a new Site has the defaults, for every kind of key', async () => {
  const { rows } = await api.db.pool.query('select name, domain, created_at from sites where id = $1', [
    tenant.siteId,
  ]);
  const { name, domain, created_at: createdAt } = rows[0];
  for (const key of [tenant.secretKey, tenant.publishableKey]) {
    const answer = await read(key);
    expect(answer.data).toEqual({
      name,
      domain,
      locale: 'en',
      timezone: 'Europe/Berlin',
      url_paths: paths,
      preview_url: null,
      feed_content: 'excerpt',
      required_reviews: 0,
      ai_disclosure: 'none',
      max_unsupported_claims: null,
      public_base_url: `${api.origin}/${publicFolder(tenant.siteId)}`,
      created_at: createdAt.toISOString(),
    });
    expect(answer.headers.get('etag')).toBe('W/"1"');
  }
});

test('every setting is saved, shown and audited once; without a change the version stays', async () => {
  const changes = {
    name: 'Über Tee & Brot',
    locale: 'de-AT',
    timezone: 'Asia/Kolkata',
    url_paths: {
      article: '/blog/{slug}.html',
      category: '/c/{slug}',
      tag: '/t-{slug}/',
      author: '/über/{slug}',
    },
    preview_url: 'https://blog.example.com/{slug}?draft={token}',
    feed_content: 'full',
    ai_disclosure: 'mark',
    required_reviews: 2,
    max_unsupported_claims: 20,
  };
  const changed = await patch(changes);
  expect(changed.status).toBe(200);
  expect(changed.data).toMatchObject(changes);
  expect(changed.headers.get('etag')).toBe('W/"2"');
  expect((await read()).data).toEqual(changed.data);
  expect((await patch(changes)).headers.get('etag')).toBe('W/"2"');
  expect((await patch({})).headers.get('etag')).toBe('W/"2"');
  const entries = await audited();
  expect(entries).toHaveLength(1);
  expect(Object.keys(entries[0].details)).toEqual(Object.keys(changes));
  expect(entries[0].details.timezone).toEqual({ before: 'Europe/Berlin', after: 'Asia/Kolkata' });
  expect((await patch({ preview_url: null, max_unsupported_claims: null })).data).toMatchObject({
    preview_url: null,
    max_unsupported_claims: null,
  });
});

const without = ({ author: _author, ...rest }: typeof paths) => rest;

test.each<[string, unknown, string[]]>([
  ['an empty name', { name: '' }, ['name']],
  ['more than all claims', { max_unsupported_claims: 101 }, ['max_unsupported_claims']],
  ['fewer than no claims', { max_unsupported_claims: -1 }, ['max_unsupported_claims']],
  ['a part of a percent', { max_unsupported_claims: 0.5 }, ['max_unsupported_claims']],
  ['a long name', { name: 'x'.repeat(201) }, ['name']],
  ['the domain', { domain: 'other.example.com' }, ['domain']],
  ['the address of the public files', { public_base_url: 'https://x.example' }, ['public_base_url']],
  ['a locale that is no language tag', { locale: 'deutsch_AT' }, ['locale']],
  ['an unknown timezone', { timezone: 'Mars/Olympus' }, ['timezone']],
  ['an offset as timezone', { timezone: '+01:00' }, ['timezone']],
  ['a timezone in another case', { timezone: 'europe/berlin' }, ['timezone']],
  ['another name of a timezone in another case', { timezone: 'Asia/kolkata' }, ['timezone']],
  ['a timezone that Schedules do not know', { timezone: 'SystemV/AST4ADT' }, ['timezone']],
  ['null as name', { name: null }, ['name']],
  ['null as paths', { url_paths: null }, ['url_paths']],
  ['paths with one missing', { url_paths: without(paths) }, ['url_paths.author']],
  ['paths with another kind', { url_paths: { ...paths, page: '/{slug}' } }, ['url_paths.page']],
  ['an unknown choice', { feed_content: 'none' }, ['feed_content']],
  ['an unknown mark', { ai_disclosure: 'always' }, ['ai_disclosure']],
  ['a template without token', { preview_url: 'https://a.example/{slug}' }, ['preview_url']],
  ['a template over http', { preview_url: 'http://a.example/{token}' }, ['preview_url']],
  ['a template that is no URL', { preview_url: 'https:/{token}' }, ['preview_url']],
  ['a template with an unknown name', { preview_url: 'https://a.example/{id}/{token}' }, ['preview_url']],
  ['a template with its token as host', { preview_url: 'https://{token}.example/' }, ['preview_url']],
  ['a template with a user', { preview_url: 'https://me@a.example/{token}' }, ['preview_url']],
  [
    'several mistakes',
    { name: '', timezone: 'X', url_paths: { ...paths, tag: 'x' } },
    ['name', 'timezone', 'url_paths.tag'],
  ],
])('%s is refused by name, and nothing is changed', async (_name, body, fields) => {
  const answer = await patch(body);
  expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(answer.json.error.fields).toSorted()).toEqual(fields);
  expect((await read()).headers.get('etag')).toBe('W/"1"');
});

test.each([
  'blog/{slug}',
  '',
  '/',
  '/blog',
  '/{slug}/{slug}',
  '/../{slug}',
  '/./{slug}',
  '/a/%2E%2e/{slug}',
  '//{slug}',
  '/a//{slug}',
  '/%zz/{slug}',
  '/%ff/{slug}',
  '/%/{slug}',
  '/{slug}%',
  '/{slug}?a=1',
  '/{slug}#top',
  '/a b/{slug}',
  '/{slug}\n',
  '/\u00a0{slug}',
  '/\u0085{slug}',
  '/{lang}/{slug}',
  '/<b>/{slug}',
  '/a\\{slug}',
  `/${'x'.repeat(500)}/{slug}`,
  7,
  null,
])('the path %j is refused for each kind of page', async (path) => {
  for (const kind of Object.keys(paths)) {
    const answer = await patch({ url_paths: { ...paths, [kind]: path } });
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, [`url_paths.${kind}`]]);
  }
});

test('If-Match decides between two changes', async () => {
  const tag = (await read()).headers.get('etag') as string;
  const both = await Promise.all(
    ['One', 'Two'].map((name) => patch({ name }, tenant.secretKey, { 'if-match': tag })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  expect((await patch({ name: 'Any' }, tenant.secretKey, { 'if-match': '*' })).status).toBe(200);
  expect((await read()).headers.get('etag')).toBe('W/"3"');
});

test('the settings are not read again by who knows them', async () => {
  const etag = (await read()).headers.get('etag') as string;
  const again = await api.request('GET', '/site', {
    key: tenant.secretKey,
    headers: { 'if-none-match': etag },
  });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('a change needs keys:write, settings.manage and a person', async () => {
  const editor = await buildMember(api.db, tenant.organisationId, 'editor');
  const keyOf = async (
    ...options: Parameters<typeof buildKey> extends [unknown, ...infer Rest] ? Rest : never
  ) => (await buildKey(api.db, ...options)).secret;
  const refusals = await Promise.all(
    [
      await keyOf(tenant.siteId, editor),
      await keyOf(tenant.siteId, tenant.memberId, { scopes: ['meta:read'] }),
      tenant.publishableKey,
      await keyOf(tenant.siteId, tenant.memberId, { heldByAgent: true }),
    ].map((key) => patch({ name: 'Mine' }, key)),
  );
  expect(refusals.map(({ status, json }) => [status, json.error.code])).toEqual([
    [403, 'INSUFFICIENT_SCOPE'],
    [403, 'INSUFFICIENT_SCOPE'],
    [403, 'INSUFFICIENT_SCOPE'],
    [403, 'FORBIDDEN'],
  ]);
});

test.each(['BST', 'IST', 'PST', 'CST', 'JST'])(
  '%s is refused with a hint at names that are right',
  async (timezone) => {
    const answer = await patch({ timezone });
    expect([answer.status, answer.json.error.fields.timezone]).toEqual([
      422,
      expect.stringContaining('Europe/London'),
    ]);
  },
);

test('what follows from the settings follows at once', async () => {
  await patch({
    timezone: 'Asia/Tokyo',
    preview_url: 'https://blog.example.com/d/{slug}/{token}',
    name: 'Renamed',
  });
  const send = (method: string, path: string, body?: object) =>
    api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  const { id, slug } = (await send('POST', '/articles', { title: 'Tea', content: 'Text' })).data;
  const scheduled = await send('POST', `/articles/${id}/schedule`, {
    scheduled_publish_at: '2099-01-01T09:00:00',
  });
  expect(scheduled.data.scheduled_publish_at).toBe('2099-01-01T00:00:00.000Z');
  const { url } = (await send('POST', `/articles/${id}/preview-links`, {})).data;
  expect(url).toMatch(new RegExp(`^https://blog\\.example\\.com/d/${slug}/`));
  await patch({ timezone: 'UTC' });
  expect((await send('GET', `/articles/${id}`)).data.scheduled_publish_at).toBe('2099-01-01T00:00:00.000Z');
});
