import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });

const kinds = ['categories', 'tags', 'authors'] as const;
type Kind = (typeof kinds)[number];

const referenceTo = (kind: Kind, id: string): object =>
  ({ categories: { category_id: id }, tags: { tag_ids: [id] }, authors: { author_id: id } })[kind];
const withoutAny = { category_id: null, author_id: null, tag_ids: [] };

/** Statements of the Site's database that wait for a lock. */
const waiting = async (): Promise<number> => {
  const { rows } = await api.db.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
};

describe.each(kinds)('%s', (kind) => {
  test('whose deletion waits for an article block no other deletion', async () => {
    const term = await buildTerm(api, tenant.secretKey, kind);
    const blocked = await buildArticle(api, tenant.secretKey, referenceTo(kind, term.id));
    // Ids ascend, so the deletion has not reached this one.
    const free = await buildArticle(api, tenant.secretKey, {
      ...referenceTo(kind, term.id),
      title: 'Carries it',
      content: 'Text.',
    });
    const blocker = await api.db.pool.connect();
    await blocker.query('begin');
    await blocker.query('select from articles where id = $1 for no key update', [blocked.id]);
    const deletion = call('DELETE', `/${kind}/${term.id}`);
    while ((await waiting()) === 0);
    const published = await call('POST', `/articles/${free.id}/publish`);
    const stillWaiting = await waiting();
    await blocker.query('rollback');
    blocker.release();
    expect([published.status, stillWaiting]).toEqual([200, 1]);
    expect((await deletion).status).toBe(204);
    expect((await call('GET', `/articles/${free.id}`)).data).toMatchObject(withoutAny);
  });
});

test('terms are deleted while their articles are created, published, changed and deleted: everything is done, and counted', async () => {
  for (let round = 0; round < 4; round += 1) {
    tenant = await buildTenant(api.db);
    const terms = await Promise.all(kinds.map((kind) => buildTerm(api, tenant.secretKey, kind)));
    const kept = await Promise.all(kinds.map((kind) => buildTerm(api, tenant.secretKey, kind)));
    const referring = ([category, tag, author]: typeof terms): object => ({
      category_id: category?.id,
      tag_ids: [tag?.id],
      author_id: author?.id,
    });
    const drafts = await Promise.all(
      Array.from({ length: 9 }, () =>
        buildArticle(api, tenant.secretKey, { ...referring(terms), title: 'Carries it', content: 'Text.' }),
      ),
    );
    await buildPublished(api, tenant.secretKey, referring(kept));
    const work = drafts.map(({ id }, index) => {
      if (index % 3 === 0) return call('POST', `/articles/${id}/publish`);
      if (index % 3 === 1) return call('PATCH', `/articles/${id}`, referring(kept));
      return call('DELETE', `/articles/${id}`);
    });
    const deletions = kinds.map((kind, index) => call('DELETE', `/${kind}/${terms[index]?.id}`));
    const creates = Array.from({ length: 3 }, () => call('POST', '/articles', referring(terms)));

    expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([204, 204, 204]);
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 3 }, () => [200, 200, 204]).flat());
    // A late one reports the deleted term.
    for (const { status } of await Promise.all(creates)) expect([201, 422]).toContain(status);
    for (const [index, kind] of kinds.entries()) {
      const { data } = await call('GET', `/${kind}/${kept[index]?.id}`);
      expect(data.article_count).toBe(4);
    }
    const { data } = await call('GET', '/articles?limit=100&fields=id,category_id,author_id,tag_ids');
    const gone = terms.map(({ id }) => id);
    for (const { category_id, author_id, tag_ids } of data.items)
      expect(gone.filter((id) => [category_id, author_id, ...tag_ids].includes(id))).toEqual([]);
  }
});
