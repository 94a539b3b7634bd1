import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { carriedOut } from '../../../support/bulk.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: object, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body, idempotencyKey: true });
const done = async (...request: Parameters<typeof call>): Promise<any> => {
  const answer = await call(...request);
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.data;
};
const originOf = async (id: string): Promise<string> => (await done('GET', `/articles/${id}`)).origin;

const text = { title: 'Tea', content: 'Hot water.', excerpt: 'Short.' };

test.each([
  ['nothing', {}, 201, 'person'],
  ['assisted', { origin: 'assisted' }, 201, 'assisted'],
  ['generated', { origin: 'generated' }, 201, 'generated'],
  ['person', { origin: 'person' }, 422, undefined],
  ['null', { origin: null }, 422, undefined],
])('a new article with %s as its origin', async (_, body, status, origin) => {
  const answer = await call('POST', '/articles', { ...text, ...body });
  expect([answer.status, answer.data?.origin]).toEqual([status, origin]);
  if (status === 422) expect(Object.keys(answer.json.error.fields)).toEqual(['origin']);
  else expect(await originOf(answer.data.id)).toBe(origin);
});

test.each(['assisted', 'generated', 'person'])('an update cannot set the origin %s', async (origin) => {
  const { id } = await buildArticle(api, tenant.secretKey, text);
  const answer = await call('PATCH', `/articles/${id}`, { origin });
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['origin']]);
});

const pending = async (id: string, body: object): Promise<void> => {
  await done('PATCH', `/articles/${id}/pending`, body);
  await done('POST', `/articles/${id}/pending/publish`, {});
};

type Write = (id: string) => Promise<unknown>;
/** Whether each write changes the text. */
const writes: readonly [string, boolean, Write][] = [
  ['a title', true, (id) => done('PATCH', `/articles/${id}`, { title: 'Coffee' })],
  ['a content', true, (id) => done('PATCH', `/articles/${id}`, { content: 'Cold water.' })],
  ['an excerpt taken away', true, (id) => done('PATCH', `/articles/${id}`, { excerpt: null })],
  ['keywords', true, (id) => done('PATCH', `/articles/${id}`, { seo_keywords: ['tea'] })],
  ['takeaways', true, (id) => done('PATCH', `/articles/${id}`, { key_takeaways: ['Drink.'] })],
  ['the same text', false, (id) => done('PATCH', `/articles/${id}`, text)],
  ['a slug', false, (id) => done('PATCH', `/articles/${id}`, { slug: 'another' })],
  [
    'an image',
    false,
    (id) => done('PATCH', `/articles/${id}`, { featured_image_url: 'https://a.example/a.png' }),
  ],
  [
    'an agent’s edit',
    true,
    async (id) => {
      const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { heldByAgent: true });
      await done('POST', `/articles/${id}/unpublish`);
      await done('PATCH', `/articles/${id}`, { content: 'By an agent.' }, secret);
    },
  ],
  ['a pending edit of its text', true, (id) => pending(id, { content: 'Pending.' })],
  ['a pending edit of its slug', false, (id) => pending(id, { slug: 'pending' })],
  [
    'a pending edit that waits',
    false,
    (id) => done('PATCH', `/articles/${id}/pending`, { content: 'Later.' }),
  ],
  [
    'a bulk job of its tags and category',
    false,
    async (id) => {
      const tag = await buildTerm(api, tenant.secretKey, 'tags');
      const category = await buildTerm(api, tenant.secretKey, 'categories');
      await carriedOut(api, tenant, { action: 'add_tags', article_ids: [id], tag_ids: [tag.id] });
      await carriedOut(api, tenant, {
        action: 'set_category',
        article_ids: [id],
        category_id: category.id,
      });
      await done('DELETE', `/tags/${tag.id}`);
    },
  ],
  [
    'going offline and being scheduled',
    false,
    async (id) => {
      await done('POST', `/articles/${id}/unpublish`);
      await done('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
      await done('POST', `/articles/${id}/cancel-schedule`);
    },
  ],
];

describe.each(['person', 'assisted', 'generated'] as const)('an article of the origin %s', (origin) => {
  const given = origin === 'person' ? {} : { origin };

  test.each(writes)('after %s', async (_, changesText, write) => {
    const { id } = await buildPublished(api, tenant.secretKey, { ...text, ...given });
    expect(await originOf(id)).toBe(origin);
    await write(id);
    expect(await originOf(id)).toBe(changesText && origin === 'generated' ? 'assisted' : origin);
  });
});

test('restoring another text makes a generated article assisted, restoring another slug does not', async () => {
  const made = await buildArticle(api, tenant.secretKey, { ...text, origin: 'generated' });
  await done('PATCH', `/articles/${made.id}`, { slug: 'second' });
  await done('POST', `/articles/${made.id}/revisions/1/restore`);
  expect(await originOf(made.id)).toBe('generated');
  // The text that the pipeline is about to replace.
  await api.db.pool.query(
    `update articles set content = 'Of the pipeline.', version = version + 1 where id = $1`,
    [made.id],
  );
  await done('POST', `/articles/${made.id}/revisions/1/restore`);
  expect(await originOf(made.id)).toBe('assisted');
});

test('of concurrent updates, one of the text is enough', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { ...text, origin: 'generated' });
  const bodies = Array.from({ length: 12 }, (_, index) =>
    index === 5 ? { content: 'Of a person.' } : { external_id: `e${index}` },
  );
  await Promise.all(bodies.map((body) => done('PATCH', `/articles/${id}`, body)));
  expect(await originOf(id)).toBe('assisted');
});

test('the list is filtered by one or several origins, page by page, and shows them by default', async () => {
  const ids: Record<string, string[]> = { person: [], assisted: [], generated: [] };
  for (let index = 0; index < 9; index += 1) {
    const origin = ['person', 'assisted', 'generated'][index % 3] as string;
    const build = index < 6 ? buildPublished : buildArticle;
    const given = origin === 'person' ? {} : { origin };
    const { id } = await build(api, tenant.secretKey, { ...text, title: `No ${index}`, ...given });
    ids[origin]?.unshift(id);
  }
  const { person = [], assisted = [], generated = [] } = ids;
  const walk = async (query: string, key = tenant.secretKey): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const data = await done('GET', `/articles?${query}&limit=2${cursor}`, undefined, key);
      found.push(...data.items.map(({ id }: { id: string }) => id));
      if (data.next_cursor === null) return found;
      cursor = `&cursor=${data.next_cursor}`;
    }
  };
  expect(await walk('origin=generated&order=created_at.desc')).toEqual(generated);
  expect(await walk('origin=person&order=created_at.desc')).toEqual(person);
  expect((await walk('origin=assisted&origin=generated')).toSorted()).toEqual(
    [...assisted, ...generated].toSorted(),
  );
  expect(await walk('origin=person&origin=assisted&origin=generated')).toHaveLength(9);
  expect(await walk('origin=assisted&status=draft')).toEqual(assisted.slice(0, 1));
  expect(await walk('origin=generated&fields=content&order=created_at.desc')).toEqual(generated);
  expect((await walk('origin=generated&q=water')).toSorted()).toEqual(generated.toSorted());
  expect(await walk('origin=generated&order=created_at.desc', tenant.publishableKey)).toEqual(
    generated.slice(1),
  );

  const page = await done('GET', '/articles?origin=generated&limit=1');
  expect(page.items[0].origin).toBe('generated');
  expect((await call('GET', `/articles?origin=person&cursor=${page.next_cursor}`)).status).toBe(400);
  const again = `/articles?origin=generated&origin=generated&cursor=${page.next_cursor}`;
  expect((await call('GET', again)).status).toBe(200);
  expect((await call('GET', '/articles?origin=machine')).status).toBe(400);
});
