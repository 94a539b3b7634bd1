import { Presswork, PressworkError } from '../../sdk/src/index.ts';
import { useApi } from '../support/api.ts';
import { buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;
let presswork: Presswork;
const requests: string[] = [];

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  presswork = clientOf(tenant.secretKey);
  requests.length = 0;
});

const clientOf = (apiKey: string): Presswork =>
  new Presswork({
    apiKey,
    baseUrl: `${api.origin}/v1/`,
    fetch: (url, init) => {
      requests.push(`${init?.method} ${String(url).slice(api.origin.length)}`);
      return fetch(url, init);
    },
  });

const caught = async (promise: Promise<unknown>): Promise<PressworkError> => {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PressworkError)) throw error;
  return error;
};

describe('lists', () => {
  const names = Array.from({ length: 7 }, (_, index) => `Tag ${index}`);
  beforeEach(async () => {
    for (const name of names) await buildTerm(api, tenant.secretKey, 'tags', { name });
    requests.length = 0;
  });

  test('await reads one page, with the limit of the API', async () => {
    const page = await presswork.tags.list({ limit: 3 });
    expect(page.items.map(({ name }) => name)).toEqual(names.slice(0, 3));
    expect(page.next_cursor).toEqual(expect.any(String));
    const next = await presswork.tags.list({ limit: 3, cursor: page.next_cursor! });
    expect(next.items.map(({ name }) => name)).toEqual(names.slice(3, 6));
    await presswork.tags.list();
    expect(requests.at(-1)).toBe('GET /v1/tags');
  });

  test('for await reads every item once, page by page', async () => {
    const seen = [];
    for await (const { name } of presswork.tags.list({ limit: 3 })) seen.push(name);
    expect(seen).toEqual(names);
    expect(requests).toHaveLength(3);
  });

  test('for await reads the largest pages unless a limit says otherwise, and no page that is not needed', async () => {
    for await (const _ of presswork.tags.list()) break;
    for await (const _ of presswork.tags.list({ limit: 2 })) break;
    expect(requests).toEqual(['GET /v1/tags?limit=100', 'GET /v1/tags?limit=2']);
  });

  test('pages gives whole pages with their meta', async () => {
    const sizes = [];
    for await (const page of presswork.tags.list({ limit: 5 }).pages()) {
      sizes.push(page.items.length);
      expect(page.meta.requestId).toEqual(expect.any(String));
    }
    expect(sizes).toEqual([5, 2]);
  });

  test('a list that is not awaited sends nothing, and awaited twice one request', async () => {
    presswork.tags.list();
    const list = presswork.tags.list();
    expect(await list).toBe(await list);
    expect(requests).toHaveLength(1);
  });

  test('a list without cursors is one page, and its error reaches the loop', async () => {
    const keys = [];
    for await (const { key } of presswork.contentTypes.list()) keys.push(key);
    expect(keys.length).toBeGreaterThan(0);
    expect(requests).toEqual(['GET /v1/content-types']);
    const stranger = new Presswork({ baseUrl: `${api.origin}/v1` });
    await expect(async () => {
      for await (const _ of stranger.contentTypes.list()) break;
    }).rejects.toMatchObject({ code: 'INVALID_API_KEY', status: 401 });
  });

  test('fields are joined by commas, and values of a repeatable filter repeated', async () => {
    await presswork.articles.list({
      fields: ['id', 'slug'],
      status: ['draft', 'published'],
      slug: undefined,
    });
    expect(requests).toEqual(['GET /v1/articles?fields=id%2Cslug&status=draft&status=published']);
  });
});

describe('versions', () => {
  test('an answer is the ifMatch of the next change, and a newer version is refused', async () => {
    const first = await presswork.articles.create({ title: 'One' });
    expect(first.meta.etag).toEqual(expect.any(String));
    const second = await presswork.articles.update(first.id, { title: 'Two' }, { ifMatch: first });
    expect(second.meta.etag).not.toBe(first.meta.etag);
    const refused = await caught(
      presswork.articles.update(first.id, { title: 'Three' }, { ifMatch: first.meta.etag! }),
    );
    expect(refused).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    await presswork.articles.delete(first.id, { ifMatch: second });
    expect(await caught(presswork.articles.get(first.id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('an ifMatch without an ETag, or where the API has none, is refused before it is sent', async () => {
    const list = await presswork.articles.list();
    requests.length = 0;
    await expect(presswork.articles.update('x', {}, { ifMatch: list })).rejects.toThrow(TypeError);
    const options = { ifMatch: 'W/"1"' } as object;
    await expect(presswork.articles.unpublish('x', options)).rejects.toThrow(
      'articles.unpublish has no option ifMatch.',
    );
    expect(requests).toEqual([]);
  });
});

test('meta is not enumerable', async () => {
  const article = await presswork.articles.create();
  expect(JSON.parse(JSON.stringify(article))).not.toHaveProperty('meta');
  expect({ ...article }).not.toHaveProperty('meta');
  expect(article.meta.replayed).toBe(false);
});

test('each create has an idempotency key of its own; the same key again replays the answer', async () => {
  const [one, two] = [await presswork.tags.create({ name: 'A' }), await presswork.tags.create({ name: 'B' })];
  expect(one.id).not.toBe(two.id);
  const options = { idempotencyKey: 'mine' };
  const first = await presswork.tags.create({ name: 'C' }, options);
  const again = await presswork.tags.create({ name: 'C' }, options);
  expect([again.id, again.meta.replayed]).toEqual([first.id, true]);
  const other = await caught(presswork.tags.create({ name: 'D' }, options));
  expect(other).toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT', status: 409 });
});

test('an error has code, status, fields and the request id of the API', async () => {
  const error = await caught(presswork.categories.create({ name: '' }));
  expect(error).toMatchObject({ name: 'PressworkError', code: 'VALIDATION_FAILED', status: 422 });
  expect(error.fields).toEqual({ name: expect.any(String) });
  expect(error.requestId).toMatch(/^[\w-]{1,64}$/);
  expect(error.approval).toBeUndefined();
  expect(requests).toHaveLength(1);
});

test('an answer without a body is empty, with meta', async () => {
  const tag = await presswork.tags.create({ name: 'Gone' });
  const answer = await presswork.tags.delete(tag.id);
  expect(answer).toEqual({});
  expect(answer.meta.requestId).toEqual(expect.any(String));
});

test.each([
  ['an empty id', () => presswork.tags.delete('')],
  ['no id', () => presswork.tags.delete(undefined as unknown as string)],
  ['dots', () => presswork.tags.delete('..')],
  ['an unknown option', () => presswork.tags.list({}, { idempotencyKey: 'x' } as object)],
])('%s is refused before anything is sent', async (_, call) => {
  await expect(call()).rejects.toThrow(TypeError);
  expect(requests).toEqual([]);
});

test('a path parameter is one segment', async () => {
  expect(await caught(presswork.tags.get('../articles'))).toMatchObject({ code: 'NOT_FOUND' });
  expect(requests).toEqual(['GET /v1/tags/..%2Farticles']);
});

test('a path parameter may be a number', async () => {
  const { id } = await presswork.articles.create({ title: 'Tea' });
  await presswork.articles.update(id, { title: 'Green tea' });
  expect(await presswork.articles.getRevision(id, 1)).toMatchObject({ number: 1, title: 'Tea' });
  expect(await presswork.articles.restoreRevision(id, 1)).toMatchObject({ title: 'Tea' });
});

test('the key is in no property, message or dump of a client', async () => {
  const { inspect } = await import('node:util');
  expect(inspect(presswork, { depth: 9, showHidden: true })).not.toContain(tenant.secretKey);
  expect(() => new Presswork({ apiKey: 'svc_sk_secret\n', baseUrl: api.origin })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('svc_sk_secret') }),
  );
});

test('a base URL that is not of the API is an error of its own, and is not asked again', async () => {
  const lost = new Presswork({ apiKey: tenant.secretKey, baseUrl: api.origin });
  expect(await caught(lost.ping())).toMatchObject({ code: 'NOT_FOUND' });
  expect(() => new Presswork({ baseUrl: 'file:///v1' })).toThrow(TypeError);
  expect(() => new Presswork({ baseUrl: 'presswork' })).toThrow(TypeError);
});
