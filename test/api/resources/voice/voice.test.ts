import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const read = (key = tenant.secretKey): Promise<Answer> => api.request('GET', '/pipeline/voice', { key });
const patch = (body: unknown, headers: Record<string, string> = {}, key = tenant.secretKey) =>
  api.request('PATCH', '/pipeline/voice', { key, body, headers });

const empty = {
  audience: null,
  tone: null,
  do: [],
  avoid: [],
  vocabulary: [],
  sample_article_ids: [],
  updated_at: null,
};

test('a Site has no voice until it says so, and only the members that are sent change', async () => {
  expect((await read()).data).toEqual(empty);
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Sample' });
  const sent = {
    audience: 'Home bakers',
    do: ['Use grams.'],
    vocabulary: [{ use: 'starter', instead_of: ['levain'] }],
    sample_article_ids: [id, id.toUpperCase()],
  };
  const first = await patch(sent);
  expect(first.data).toEqual({
    ...empty,
    ...sent,
    sample_article_ids: [id],
    updated_at: expect.any(String),
  });
  const { data } = await patch({ audience: null, tone: 'Calm' });
  expect(data).toMatchObject({ audience: null, tone: 'Calm', do: ['Use grams.'], sample_article_ids: [id] });
  expect((await read()).data).toEqual(data);
});

test('If-Match decides between two people, from the first time on', async () => {
  const tag = (await read()).headers.get('etag') ?? '';
  const saved = await patch({ tone: 'Calm' }, { 'if-match': tag });
  expect(saved.status).toBe(200);
  expect((await patch({ tone: 'Loud' }, { 'if-match': tag })).status).toBe(412);
  const newer = saved.headers.get('etag') ?? '';
  expect(newer).not.toBe(tag);
  expect((await read()).headers.get('etag')).toBe(newer);
  expect(
    (
      await api.request('GET', '/pipeline/voice', {
        key: tenant.secretKey,
        headers: { 'if-none-match': newer },
      })
    ).status,
  ).toBe(304);
});

test('of twenty first changes at once, each is kept', async () => {
  const rules = Array.from({ length: 20 }, (_, index) => `Rule ${index}`);
  const answers = await Promise.all(rules.map((rule) => patch({ do: [rule] })));
  expect(answers.map(({ status }) => status)).toEqual(rules.map(() => 200));
  const { rows } = await api.db.pool.query('select version from voices where site_id = $1', [tenant.siteId]);
  expect(rows).toEqual([{ version: 20 }]);
});

test('a change without an effect is none', async () => {
  const first = await patch({ tone: 'Calm' });
  const again = await patch({ tone: 'Calm' });
  expect(again.text).toContain(first.data.updated_at);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  const { rows } = await api.db.pool.query(
    "select details from audit_log where site_id = $1 and action = 'voice.update'",
    [tenant.siteId],
  );
  expect(rows).toEqual([{ details: { tone: { before: null, after: 'Calm' } } }]);
});

test('a sample that is deleted is not shown any more, which is another state', async () => {
  const one = await buildArticle(api, tenant.secretKey, { title: 'One' });
  const two = await buildArticle(api, tenant.secretKey, { title: 'Two' });
  const { headers } = await patch({ sample_article_ids: [two.id, one.id] });
  await api.request('DELETE', `/articles/${two.id}`, { key: tenant.secretKey });
  const now = await read();
  expect(now.data.sample_article_ids).toEqual([one.id]);
  expect(now.headers.get('etag')).not.toBe(headers.get('etag'));
  expect((await patch({ tone: 'Calm' })).data.sample_article_ids).toEqual([one.id]);
});

test('another Site’s article is no sample', async () => {
  const other = await buildTenant(api.db);
  const theirs = await buildArticle(api, other.secretKey, { title: 'Theirs' });
  const mine = await buildArticle(api, tenant.secretKey, { title: 'Mine' });
  const { status, json } = await patch({ sample_article_ids: [mine.id, theirs.id] });
  expect([status, Object.keys(json.error.fields)]).toEqual([422, ['sample_article_ids.1']]);
});

test.each([
  [{ audience: 'x'.repeat(2_001) }, 'audience'],
  [{ tone: 1 }, 'tone'],
  [{ do: Array.from({ length: 51 }, () => 'x') }, 'do'],
  [{ avoid: ['x'.repeat(301)] }, 'avoid.0'],
  [{ avoid: [''] }, 'avoid.0'],
  [{ do: null }, 'do'],
  [{ vocabulary: Array.from({ length: 201 }, () => ({ use: 'x', instead_of: [] })) }, 'vocabulary'],
  [{ vocabulary: [{ use: 'x' }] }, 'vocabulary.0.instead_of'],
  [{ sample_article_ids: ['mine'] }, 'sample_article_ids.0'],
  [
    { sample_article_ids: Array.from({ length: 6 }, (_, n) => `0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a1${n}`) },
    'sample_article_ids',
  ],
  [{ updated_at: '2026-01-01T00:00:00Z' }, 'updated_at'],
])('%j is refused', async (body, field) => {
  const { status, json } = await patch(body);
  expect([status, Object.keys(json.error.fields)]).toEqual([422, [field]]);
});

test('who may not manage prompts neither reads nor changes it', async () => {
  const memberId = await buildMember(api.db, tenant.organisationId, 'author');
  const { secret } = await buildKey(api.db, tenant.siteId, memberId);
  expect([(await read(secret)).status, (await patch({ tone: 'x' }, {}, secret)).status]).toEqual([403, 403]);
  const narrow = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['pipeline:read'] });
  expect((await read(narrow.secret)).status).toBe(403);
});
