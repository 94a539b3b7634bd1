import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { blueprint, formatsOf } from './formats.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const { call, list, create, platformId, audit } = formatsOf(() => ({ api, tenant }));

const fieldsOf = async (method: string, path: string, body: unknown): Promise<Record<string, string>> => {
  const answer = await call(method, path, body);
  expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  return answer.json.error.fields;
};

describe('formats of a Site', () => {
  test('are created with Location and ETag, and read as they were sent', async () => {
    const answer = await call('POST', '/content-types', { name: 'Über Größe', blueprint, is_active: false });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.any(String),
      key: 'ueber-groesse',
      name: 'Über Größe',
      source: 'site',
      is_active: false,
      blueprint,
      created_at: expect.any(String),
      updated_at: answer.data.created_at,
    });
    expect(answer.headers.get('location')).toBe(`${api.origin}/v1/content-types/${answer.data.id}`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    const read = await call('GET', `/content-types/${answer.data.id}`);
    expect([read.data, read.headers.get('etag')]).toEqual([answer.data, 'W/"1"']);
    expect(
      (await call('GET', `/content-types/${answer.data.id}`, undefined, { 'if-none-match': 'W/"1"' })).status,
    ).toBe(304);
    const { blueprint: _, ...listed } = answer.data;
    expect(await list()).toContainEqual(listed);
    expect(await audit()).toEqual([
      {
        action: 'content_type.create',
        target_type: 'content_type',
        target_id: answer.data.id,
        details: { key: 'ueber-groesse' },
      },
    ]);
  });

  test('are active by default, and may require nothing', async () => {
    const created = await create({ blueprint: { requires: [], sections: [] } });
    expect([created.is_active, created.blueprint]).toEqual([true, { requires: [], sections: [] }]);
  });

  test('replace the platform’s format with their key in the list, even if they are inactive; both stay readable', async () => {
    const id = await platformId('news');
    const own = await create({ name: 'Our news', key: 'news', is_active: false });
    const items = await list();
    expect(items).toHaveLength(6);
    expect(items.filter(({ key }) => key === 'news')).toEqual([
      expect.objectContaining({ id: own.id, source: 'site', name: 'Our news', is_active: false }),
    ]);
    expect((await call('GET', `/content-types/${id}`)).data).toMatchObject({
      key: 'news',
      source: 'platform',
    });
    const other = await buildTenant(api.db);
    expect((await list(other.secretKey)).find(({ key }) => key === 'news').id).toBe(id);
  });

  test('have unique keys: 409, sent or derived', async () => {
    await create({ name: 'Recipe' });
    for (const body of [{ name: 'Recipe' }, { name: 'Other', key: 'recipe' }]) {
      const answer = await call('POST', '/content-types', { blueprint, ...body });
      expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
    }
    expect(await audit()).toHaveLength(1);
  });

  test('of ten concurrent creates with one key, one succeeds, and the others are 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('POST', '/content-types', { name: 'Race', key: 'news', blueprint }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await list()).filter(({ key }) => key === 'news')).toHaveLength(1);
    expect(await audit()).toHaveLength(1);
  });

  test('need an Idempotency-Key; a replay returns the first answer and creates nothing', async () => {
    const body = { name: 'Once', blueprint };
    const send = (idempotencyKey?: string) =>
      api.request('POST', '/content-types', {
        key: tenant.secretKey,
        body,
        ...(idempotencyKey ? { idempotencyKey } : {}),
      });
    expect((await send()).status).toBe(400);
    const [first, again] = [await send('format-1'), await send('format-1')];
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await audit()).toHaveLength(1);
  });

  test('a name that yields no key is 422 on key', async () => {
    expect(Object.keys(await fieldsOf('POST', '/content-types', { name: '!!!', blueprint }))).toEqual([
      'key',
    ]);
  });

  test('are changed by PATCH, with a new version', async () => {
    const { id, created_at } = await create();
    const changed = await call('PATCH', `/content-types/${id}`, { name: 'Meal', is_active: false });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(changed.data).toMatchObject({
      id,
      key: 'recipe',
      name: 'Meal',
      is_active: false,
      blueprint,
      created_at,
    });
    const other = { requires: [], sections: [{ heading: 'One', guidance: 'G' }] };
    expect((await call('PATCH', `/content-types/${id}`, { blueprint: other })).data.blueprint).toEqual(other);
    expect((await call('GET', `/content-types/${id}`)).data).toMatchObject({
      name: 'Meal',
      blueprint: other,
    });
    expect(await audit()).toMatchObject([
      { action: 'content_type.create' },
      {
        action: 'content_type.update',
        details: { key: 'recipe', name: { after: 'Meal' }, is_active: { before: true, after: false } },
      },
      {
        action: 'content_type.update',
        details: { key: 'recipe', blueprint: { before: blueprint, after: other } },
      },
    ]);
  });

  test('keep version and time if nothing changes', async () => {
    const before = await create();
    // Member order does not matter.
    const same = {
      sections: blueprint.sections.map((section) => ({ ...section })),
      requires: blueprint.requires,
    };
    for (const body of [{}, { name: 'Recipe', is_active: true, blueprint: same }]) {
      const answer = await call('PATCH', `/content-types/${before.id}`, body);
      expect([answer.status, answer.headers.get('etag'), answer.data]).toEqual([200, 'W/"1"', before]);
    }
    expect(await audit()).toHaveLength(1);
  });

  test('cannot lose or change their key', async () => {
    const { id } = await create();
    expect(Object.keys(await fieldsOf('PATCH', `/content-types/${id}`, { key: 'recipe' }))).toEqual(['key']);
    expect(
      Object.keys(
        await fieldsOf('PATCH', `/content-types/${id}`, { name: null, blueprint: null, is_active: null }),
      ).toSorted(),
    ).toEqual(['blueprint', 'is_active', 'name']);
  });

  test('are changed one after another under concurrency, and If-Match lets one change through', async () => {
    const { id } = await create();
    const free = await Promise.all(
      Array.from({ length: 8 }, (_, at) => call('PATCH', `/content-types/${id}`, { name: `Name ${at}` })),
    );
    expect(free.map(({ headers }) => headers.get('etag')).toSorted()).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((version) => `W/"${version}"`),
    );
    const matched = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        call('PATCH', `/content-types/${id}`, { name: `Then ${at}` }, { 'if-match': 'W/"9"' }),
      ),
    );
    expect(matched.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
  });

  test('of another Site are 404', async () => {
    const { id } = await create();
    const other = await buildTenant(api.db);
    const ask = (method: string, body?: object) =>
      api.request(method, `/content-types/${id}`, { key: other.secretKey, body });
    expect([(await ask('GET')).status, (await ask('PATCH', { name: 'Mine' })).status]).toEqual([404, 404]);
    const article = await api.request('POST', '/articles', {
      key: other.secretKey,
      body: { format_id: id },
      idempotencyKey: true,
    });
    expect([article.status, Object.keys(article.json.error.fields)]).toEqual([422, ['format_id']]);
    expect((await list(other.secretKey)).map(({ id: each }) => each)).not.toContain(id);
    expect((await call('GET', '/content-types/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')).status).toBe(404);
    expect((await call('GET', '/content-types/news')).status).toBe(404);
  });
});

describe('who may', () => {
  test('a publishable key may only list', async () => {
    const { id } = await create();
    const ask = async (method: string, path: string, body?: object): Promise<unknown[]> => {
      const { status, json } = await api.request(method, path, {
        key: tenant.publishableKey,
        body,
        idempotencyKey: true,
      });
      return [status, json.error.code];
    };
    expect(await ask('GET', `/content-types/${id}`)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await ask('POST', '/content-types', { name: 'A', blueprint })).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await ask('PATCH', `/content-types/${id}`, { name: 'A' })).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('reading needs meta:read; writing prompts:write, and a person who may manage prompts', async () => {
    const statuses = async (key: string): Promise<number[]> => [
      (await api.request('GET', '/content-types', { key })).status,
      (
        await api.request('POST', '/content-types', {
          key,
          body: { name: 'By key', blueprint },
          idempotencyKey: true,
        })
      ).status,
    ];
    const keyOf = async (memberId: string, scopes: ('meta:read' | 'prompts:write')[]): Promise<string> =>
      (await buildKey(api.db, tenant.siteId, memberId, { scopes })).secret;
    expect(await statuses(await keyOf(tenant.memberId, ['meta:read']))).toEqual([200, 403]);
    expect(await statuses(await keyOf(tenant.memberId, ['prompts:write']))).toEqual([403, 201]);
    const author = await buildMember(api.db, tenant.organisationId, 'author');
    expect(await statuses(await keyOf(author, ['meta:read', 'prompts:write']))).toEqual([200, 403]);
  });

  test('the list takes no parameters', async () => {
    for (const query of ['limit=5', 'cursor=x', 'fields=id']) {
      expect((await call('GET', `/content-types?${query}`)).status).toBe(400);
    }
  });
});
