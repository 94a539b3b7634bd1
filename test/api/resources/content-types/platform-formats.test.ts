import { findBlueprint } from '../../../../domain/content-types/blueprint.ts';
import { useApi } from '../../../support/api.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { formatsOf } from './formats.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const { call, list, create, platformId, audit } = formatsOf(() => ({ api, tenant }));

describe('platform formats', () => {
  test('are six, with fixed ids, ordered by name, for both kinds of key', async () => {
    const items = await list();
    expect(items.map(({ key, id, source }) => [key, id, source])).toEqual([
      ['article', '0197a0c4-0000-7000-8000-000000000001', 'platform'],
      ['comparison', '0197a0c4-0000-7000-8000-000000000004', 'platform'],
      ['how-to', '0197a0c4-0000-7000-8000-000000000002', 'platform'],
      ['listicle', '0197a0c4-0000-7000-8000-000000000003', 'platform'],
      ['news', '0197a0c4-0000-7000-8000-000000000006', 'platform'],
      ['faq', '0197a0c4-0000-7000-8000-000000000005', 'platform'],
    ]);
    expect(await list(tenant.publishableKey)).toEqual(items);
    expect(Object.keys(items[0]).toSorted()).toEqual(
      ['created_at', 'id', 'is_active', 'key', 'name', 'source', 'updated_at'].toSorted(),
    );
  });

  test('have blueprints that the API itself would accept', async () => {
    for (const { id, key, name } of await list()) {
      const { status, data, headers } = await call('GET', `/content-types/${id.toUpperCase()}`);
      expect([status, data.key, headers.get('etag')]).toEqual([200, key, 'W/"1"']);
      expect(data.blueprint.sections.length).toBeGreaterThan(3);
      const copy = await create({ name, key: `${key}-copy`, blueprint: data.blueprint });
      expect(copy.blueprint).toEqual(data.blueprint);
    }
  });

  test('cannot be changed: 409, after mistakes in the body are reported', async () => {
    const id = await platformId('news');
    const refused = await call('PATCH', `/content-types/${id}`, { name: 'Mine' });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    expect(refused.json.error.message).toContain('"news"');
    expect((await call('PATCH', `/content-types/${id}`, {})).status).toBe(409);
    expect(
      (await call('PATCH', `/content-types/${id}`, { name: 'Mine' }, { 'if-match': 'W/"9"' })).status,
    ).toBe(412);
    expect((await call('PATCH', `/content-types/${id}`, { key: 'x' })).status).toBe(422);
    expect(await audit()).toEqual([]);
  });

  test('can be used by an article, replaced or not', async () => {
    const id = await platformId('how-to');
    expect((await buildArticle(api, tenant.secretKey, { format_id: id })).format_id).toBe(id);
    await create({ key: 'how-to' });
    expect((await buildArticle(api, tenant.secretKey, { format_id: id })).format_id).toBe(id);
  });
});

describe('what the generator gets', () => {
  const headings = async (formatId: string | null): Promise<string[]> =>
    (await findBlueprint(api.db, tenant.siteId, formatId)).sections.map(({ heading }) => heading);

  test('an article without a format gets the default blueprint; one with a platform’s format gets the Site’s with that key', async () => {
    const id = await platformId('article');
    expect(await headings(null)).toEqual(await headings(id));
    const own = await create({ key: 'article' });
    expect([await headings(null), await headings(id), await headings(own.id)]).toEqual(
      Array.from({ length: 3 }, () => ['Lead', 'Rest']),
    );
  });

  test('an inactive format replaces none, but still applies to its own articles', async () => {
    const id = await platformId('article');
    const own = await create({ key: 'article', is_active: false });
    expect(await headings(null)).toContain('Introduction');
    expect(await headings(id)).toContain('Introduction');
    expect(await headings(own.id)).toEqual(['Lead', 'Rest']);
  });
});
