import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body, headers, idempotencyKey: true });

const kinds = ['categories', 'tags', 'authors'] as const;

describe.each(kinds)('%s', (kind) => {
  const walk = async (limit: number): Promise<{ id: string; name: string }[]> => {
    const items: { id: string; name: string }[] = [];
    for (let cursor = ''; ;) {
      const { data } = await call('GET', `/${kind}?limit=${limit}&fields=id,name${cursor}`);
      items.push(...data.items);
      if (data.next_cursor === null) return items;
      cursor = `&cursor=${data.next_cursor}`;
    }
  };
  const isSame = ({ name }: { name: string }): boolean => name.toLowerCase() === 'öä';

  test('are created with a derived slug, Location and ETag', async () => {
    const answer = await call('POST', `/${kind}`, { name: 'Ünder one roof' });
    expect([answer.status, answer.data.slug, answer.data.article_count]).toEqual([201, 'uender-one-roof', 0]);
    expect(answer.headers.get('location')).toBe(`${api.origin}/v1/${kind}/${answer.data.id}`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
  });

  test('have unique slugs: no number is appended', async () => {
    await call('POST', `/${kind}`, { name: 'Same' });
    expect((await call('POST', `/${kind}`, { name: 'Same' })).json.error.code).toBe('SLUG_CONFLICT');
    expect((await call('POST', `/${kind}`, { name: 'Other', slug: 'same' })).status).toBe(409);
    const other = await buildTerm(api, tenant.secretKey, kind);
    expect((await call('PATCH', `/${kind}/${other.id}`, { slug: 'same' })).json.error.code).toBe(
      'SLUG_CONFLICT',
    );
  });

  test('refuse invalid values by field', async () => {
    const fields = async (body: object): Promise<string[]> =>
      Object.keys((await call('POST', `/${kind}`, body)).json.error.fields).toSorted();
    expect(await fields({})).toEqual(['name']);
    expect(await fields({ name: '', slug: 'No Slug', colour: 'red' })).toEqual(['colour', 'name', 'slug']);
    expect(await fields({ name: 'x'.repeat(201) })).toEqual(['name']);
    expect(await fields({ name: '!!!' })).toEqual(['slug']);
  });

  test('are changed by PATCH with If-Match, and keep their version without an effect', async () => {
    const { id, name } = await buildTerm(api, tenant.secretKey, kind);
    expect(
      (await call('PATCH', `/${kind}/${id}`, { name }, { 'if-match': 'W/"1"' })).headers.get('etag'),
    ).toBe('W/"1"');
    expect(
      (await call('PATCH', `/${kind}/${id}`, { name: 'New name' }, { 'if-match': 'W/"7"' })).status,
    ).toBe(412);
    const changed = await call('PATCH', `/${kind}/${id}`, { name: 'New name' }, { 'if-match': 'W/"1"' });
    expect([changed.headers.get('etag'), changed.data.name]).toEqual(['W/"2"', 'New name']);
  });

  test('are listed by name, case-insensitively, page by page', async () => {
    for (const name of ['banana', 'Apple', 'cherry', 'apple pie', 'Banana split'])
      await call('POST', `/${kind}`, { name });
    const names = (await walk(2)).map(({ name }) => name);
    expect(names).toEqual(['Apple', 'apple pie', 'banana', 'Banana split', 'cherry']);
  });

  test('are listed case-insensitively in every script, those with the same name by id', async () => {
    const sorted = [
      'zebra',
      'Zeta',
      'äa',
      'Äb',
      'äc',
      'ça',
      'Çb',
      'éa',
      'Éclair',
      'ωa',
      'Ωm',
      'жа',
      'Жб',
      'жв',
    ];
    const same = ['ÖÄ', 'öä', 'Öä', 'ÖÄ', 'öÄ'];
    const sent = [...sorted.toReversed(), ...same];
    for (const [index, name] of sent.entries())
      await call('POST', `/${kind}`, { name, slug: `term-${index}` });
    for (const limit of [1, 3, 100]) {
      const terms = await walk(limit);
      const [equal, others] = [terms.filter(isSame), terms.filter((term) => !isSame(term))];
      expect(others.map(({ name }) => name)).toEqual(sorted);
      expect(terms.slice(9, 14)).toEqual(equal);
      expect(equal.map(({ id }) => id)).toEqual(equal.map(({ id }) => id).toSorted());
    }
  });

  test('count every article for a secret key, published ones for a publishable key', async () => {
    const term = await buildTerm(api, tenant.secretKey, kind);
    const member = {
      categories: { category_id: term.id },
      tags: { tag_ids: [term.id] },
      authors: { author_id: term.id },
    }[kind];
    await buildArticle(api, tenant.secretKey, member);
    await buildPublished(api, tenant.secretKey, member);
    const count = async (key: string): Promise<number> =>
      (await api.request('GET', `/${kind}/${term.id}`, { key })).data.article_count;
    expect([await count(tenant.secretKey), await count(tenant.publishableKey)]).toEqual([2, 1]);
  });

  test('leave their articles when deleted, with a new version and without an event', async () => {
    const term = await buildTerm(api, tenant.secretKey, kind);
    const member = {
      categories: { category_id: term.id },
      tags: { tag_ids: [term.id] },
      authors: { author_id: term.id },
    }[kind];
    const article = await buildPublished(api, tenant.secretKey, member);
    const before = await call('GET', `/articles/${article.id}`);
    expect((await call('DELETE', `/${kind}/${term.id}`)).status).toBe(204);
    const after = await call('GET', `/articles/${article.id}`);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.data).toEqual({
      ...before.data,
      ...(kind === 'tags'
        ? { tag_ids: [] }
        : kind === 'categories'
          ? { category_id: null }
          : { author_id: null }),
      updated_at: after.data.updated_at,
    });
    const { rows } = await api.db.pool.query(
      "select event from events where body::jsonb -> 'data' ->> 'id' = $1",
      [article.id],
    );
    expect(rows).toEqual([{ event: 'article.published' }]);
    expect((await call('DELETE', `/${kind}/${term.id}`)).status).toBe(404);
  });

  test('of another Site do not exist', async () => {
    const other = await buildTenant(api.db);
    const { id } = await buildTerm(api, other.secretKey, kind);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await call(method, `/${kind}/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    }
  });
});

test('categories need an Idempotency-Key; tags and authors honour one', async () => {
  const create = (kind: string): Promise<Answer> =>
    api.request('POST', `/${kind}`, { key: tenant.secretKey, body: { name: 'Named' } });
  expect([
    (await create('categories')).status,
    (await create('tags')).status,
    (await create('authors')).status,
  ]).toEqual([400, 201, 201]);
});

test('an author has a biography, a portrait and a flag for AI authors', async () => {
  const body = {
    name: 'Ada',
    bio: 'Writes.',
    avatar_url: 'https://example.com/ada.png',
    is_ai_generated: true,
  };
  const { data } = await call('POST', '/authors', body);
  expect(data).toMatchObject(body);
  expect((await call('PATCH', `/authors/${data.id}`, { bio: null })).data.bio).toBeNull();
});
