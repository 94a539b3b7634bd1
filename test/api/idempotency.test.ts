import { randomBytes } from 'node:crypto';
import { hashBody, hashesOfBody } from '../../domain/kernel/idempotency.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { useApi } from '../support/api.ts';
import type { Answer, RequestOptions } from '../support/api.ts';
import { buildArticle, buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

const clock = new TestClock();
const DAY_MS = 24 * 60 * 60_000;

const api = await useApi({ clock });
const second = await useApi({ clock });
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const post = (path: string, idempotencyKey: string, body?: unknown, options: RequestOptions = {}) =>
  api.request('POST', path, { key: tenant.secretKey, idempotencyKey, body, ...options });

const titles = async (key = tenant.secretKey): Promise<string[]> =>
  (await api.request('GET', '/articles?limit=100', { key })).data.items.map(
    (item: { title: string }) => item.title,
  );

const replayed = (answer: Answer) => answer.headers.get('idempotency-replayed');

describe('the header', () => {
  test.each(['/articles', '/categories'])('POST %s without it is 400 and does nothing', async (path) => {
    const answer = await api.request('POST', path, { key: tenant.secretKey, body: {} });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.json.error.message).toContain('Idempotency-Key');
    expect(await titles()).toEqual([]);
  });

  test.each(['', 'x'.repeat(256), 'ä', 'tab\there'])('%j is not a valid key: 400', async (key) => {
    const answer = await post('/articles', key);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  test.each(['x', 'x'.repeat(255), '!~ "quoted" \\ {}', "'; drop table articles; --"])(
    '%j is a key',
    async (key) => {
      expect((await post('/articles', key)).status).toBe(201);
      expect(replayed(await post('/articles', key))).toBe('true');
    },
  );

  test.each([
    ['/tags', { name: 'One' }],
    ['/authors', { name: 'One' }],
  ])('POST %s honours it without requiring it', async (path, body) => {
    const first = await post(path, 'once', body);
    const again = await post(path, 'once', body);
    expect([first.status, again.status, again.data.id]).toEqual([201, 201, first.data.id]);
    expect((await api.request('POST', path, { key: tenant.secretKey, body: { name: 'Two' } })).status).toBe(
      201,
    );
  });

  test('is ignored if nothing is created', async () => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'T', content: 'C' });
    for (const key of ['', 'once', 'once']) {
      const answer = await post(`/articles/${id}/publish`, key);
      expect([answer.status, replayed(answer)]).toEqual([200, null]);
    }
  });
});

describe('a replay', () => {
  test('is the first answer: status, body, Location and ETag, marked as a replay', async () => {
    const first = await post('/articles', 'once', { title: 'One' });
    await api.request('PATCH', `/articles/${first.data.id}`, {
      key: tenant.secretKey,
      body: { title: 'Two' },
    });
    const again = await post('/articles', 'once', { title: 'One' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    for (const name of ['location', 'etag', 'content-type'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    expect(await titles()).toEqual(['Two']);
  });

  test('is returned even if the object has been deleted since', async () => {
    const first = await post('/articles', 'once');
    await api.request('DELETE', `/articles/${first.data.id}`, { key: tenant.secretKey });
    expect((await post('/articles', 'once')).text).toBe(first.text);
    expect(await titles()).toEqual([]);
  });

  test('is returned to every key of the Site, by every instance', async () => {
    const first = await post('/articles', 'once', { title: 'One' });
    const other = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const again = await second.request('POST', '/articles', {
      key: other.secret,
      idempotencyKey: 'once',
      body: { title: 'One' },
    });
    expect(again.data.id).toBe(first.data.id);
    expect(replayed(again)).toBe('true');
  });

  test('with the address of a reader, what is stored of a body does not tell it to whoever guesses it', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const body = { slug: 'a', reader_ip: '203.0.113.7' };
    const [stored] = hashesOfBody(createSecretBox(older), body);
    expect(stored.equals(hashBody(body))).toBe(false);
    // Also after a new key.
    const known = hashesOfBody(createSecretBox(newer, older), body);
    expect(known.some((one) => one.equals(stored))).toBe(true);
    expect(hashesOfBody(createSecretBox(older), { slug: 'a' })).toEqual([hashBody({ slug: 'a' })]);
  });

  test('is refused to a key without the right to the operation', async () => {
    await post('/articles', 'once');
    const reader = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] });
    expect((await post('/articles', 'once', undefined, { key: reader.secret })).status).toBe(403);
  });

  test.each([
    ['the order of members', '{"title":"T","excerpt":"E"}', '{"excerpt":"E","title":"T"}'],
    ['white space', '{"title":"T"}', ' {\n"title" :\t"T" }\n'],
    ['escapes', '{"title":"é/"}', '{"title":"\\u00e9\\/"}'],
    [
      'the order of members of members',
      '{"faqs":[{"question":"Q","answer":"A"}]}',
      '{"faqs":[{"answer":"A","question":"Q"}]}',
    ],
    ['null for no body', 'null', ''],
  ])('does not mind %s', async (_what, one, other) => {
    const first = await post('/articles', 'once', one);
    const again = await post('/articles', 'once', other === '' ? undefined : other);
    expect([first.status, again.status, replayed(again)]).toEqual([201, 201, 'true']);
  });
});

describe('another body', () => {
  test.each([
    ['another value', '{"title":"One"}', '{"title":"Two"}'],
    ['one member more', '{"title":"One"}', '{"title":"One","excerpt":null}'],
    ['another order in an array', '{"seo_keywords":["a","b"]}', '{"seo_keywords":["b","a"]}'],
    ['another case', '{"title":"One"}', '{"title":"one"}'],
  ])('%s is 409 IDEMPOTENCY_KEY_CONFLICT and writes nothing', async (_what, one, other) => {
    await post('/articles', 'once', one);
    const answer = await post('/articles', 'once', other);
    expect([answer.status, answer.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
    expect(replayed(answer)).toBeNull();
    expect(await titles()).toHaveLength(1);
  });

  test('that is invalid is reported as such first', async () => {
    await post('/articles', 'once', { title: 'One' });
    expect((await post('/articles', 'once', { colour: 'red' })).status).toBe(422);
    expect((await post('/articles', 'once', '[]')).status).toBe(400);
  });
});

describe('a key belongs to', () => {
  test('its Site', async () => {
    const other = await buildTenant(api.db);
    const first = await post('/articles', 'once', { title: 'One' });
    const foreign = await post('/articles', 'once', { title: 'Two' }, { key: other.secretKey });
    expect([foreign.status, replayed(foreign)]).toEqual([201, null]);
    expect(foreign.data.id).not.toBe(first.data.id);
  });

  test('its path', async () => {
    expect((await post('/articles', 'once', { title: 'One' })).status).toBe(201);
    for (const path of ['/categories', '/tags', '/authors'])
      expect((await post(path, 'once', { name: 'One' })).status).toBe(201);
  });
});

describe('after an error the key is free', () => {
  test.each([
    ['400', '{', 400],
    ['415', undefined, 415],
    ['422', { colour: 'red' }, 422],
    ['409 SLUG_CONFLICT', { slug: 'taken' }, 409],
    ['422 that needed the database', { category_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11' }, 422],
  ])('after %s', async (_name, body, status) => {
    await post('/articles', 'first', { slug: 'taken' });
    const headers: Record<string, string> = status === 415 ? { 'content-encoding': 'gzip' } : {};
    expect((await post('/articles', 'again', body, { headers })).status).toBe(status);
    const answer = await post('/articles', 'again', { title: 'Fine' });
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });

  test('after a 500, without any of the work written', async () => {
    await api.db.pool.query('alter table idempotency_records rename to elsewhere');
    const failed = await post('/categories', 'once', { name: 'One', slug: 'one' });
    await api.db.pool.query('alter table elsewhere rename to idempotency_records');
    expect([failed.status, failed.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    const answer = await post('/categories', 'once', { name: 'One', slug: 'one' });
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });
});

describe('parallel requests', () => {
  test.each([
    ['/articles', { title: 'Only one' }],
    ['/articles', { title: 'Only one', slug: 'only-one' }],
    ['/categories', { name: 'Only one' }],
    ['/tags', { name: 'Only one', slug: 'only-one' }],
  ])('20 identical POST %s %j create one; the others replay it or are in flight', async (path, body) => {
    const options = { key: tenant.secretKey, idempotencyKey: 'once', body };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? api : second).request('POST', path, options)),
    );
    const created = answers.filter((answer) => answer.status === 201 && replayed(answer) === null);
    expect(created).toHaveLength(1);
    for (const answer of answers.filter((answer) => answer !== created[0])) {
      if (answer.status === 201) expect(answer.text).toBe(created[0]?.text);
      else expect([answer.status, answer.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
    }
    const { data } = await api.request('GET', path, { key: tenant.secretKey });
    expect(data.items).toHaveLength(1);
    expect((await post(path, 'once', body)).text).toBe(created[0]?.text);
  });

  test('with different bodies, one wins and no other writes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post('/articles', 'once', { title: `Number ${index}` })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    for (const { status, json } of answers.filter((answer) => answer.status !== 201))
      expect([status, json.error.code]).toEqual([
        409,
        expect.stringMatching(/^IDEMPOTENCY_KEY_(CONFLICT|IN_FLIGHT)$/),
      ]);
    expect(await titles()).toHaveLength(1);
  });

  test('work that started before its claim was refused or replayed leaves nothing behind', async () => {
    await post('/articles', 'once', { title: 'Kept' });
    expect(replayed(await post('/articles', 'once', { title: 'Kept' }))).toBe('true');
    expect((await post('/articles', 'once', { title: 'Another' })).status).toBe(409);
    expect(await titles()).toEqual(['Kept']);
    const { data } = await api.request('GET', '/usage', { key: tenant.secretKey });
    expect(data.usage.documents).toBe(1);
  });

  test('while the first runs, the second is 409 IDEMPOTENCY_KEY_IN_FLIGHT, and is replayed afterwards', async () => {
    const blocker = await api.db.pool.connect();
    await blocker.query('begin');
    await blocker.query(
      `insert into articles (id, site_id, status, slug, created_at, updated_at)
       values (gen_random_uuid(), $1, 'draft', 'slow', now(), now())`,
      [tenant.siteId],
    );
    const first = post('/articles', 'once', { title: 'Slow' });
    const isWaiting = async () =>
      (
        await api.db.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount;
    while (!(await isWaiting()));
    const meanwhile = await post('/articles', 'once', { title: 'Slow' });
    expect([meanwhile.status, meanwhile.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
    await blocker.query('rollback');
    blocker.release();
    expect((await first).status).toBe(201);
    expect(replayed(await post('/articles', 'once', { title: 'Slow' }))).toBe('true');
  });
});

describe('retention', () => {
  test('a key is kept for 24 hours', async () => {
    const first = await post('/articles', 'once', { title: 'One' });
    clock.advance(DAY_MS - 60_000);
    expect((await post('/articles', 'once', { title: 'One' })).data.id).toBe(first.data.id);
    expect((await post('/articles', 'once', { title: 'Two' })).status).toBe(409);
  });

  test('a key over 24 hours old is free, and a create with a taken slug reports the slug', async () => {
    await post('/articles', 'once', { slug: 'taken-since' });
    clock.advance(DAY_MS + 1);
    const answer = await post('/articles', 'once', { slug: 'taken-since' });
    expect([answer.status, answer.json.error?.code]).toEqual([409, 'SLUG_CONFLICT']);
  });

  test('a key over 24 hours old is free, for another body too, and is stored again', async () => {
    const first = await post('/articles', 'once', { title: 'One' });
    clock.advance(DAY_MS + 1);
    const second = await post('/articles', 'once', { title: 'Two' });
    expect([second.status, replayed(second)]).toEqual([201, null]);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await post('/articles', 'once', { title: 'Two' })).data.id).toBe(second.data.id);
  });
});
