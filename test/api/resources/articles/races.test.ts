import { z } from 'zod';
import { sql } from '../../../../db/sql.ts';
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

const statuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const eventsOf = async (articleId: string): Promise<string[]> => {
  const rows = await api.db.any(sql.type(z.object({ event: z.string() }))`
    select event from events where body::jsonb -> 'data' ->> 'id' = ${articleId} order by created_at, id`);
  return rows.map(({ event }) => event);
};

test('twenty concurrent creates with one title get twenty slugs', async () => {
  const answers = await times(20, () => call('POST', '/articles', { title: 'The same title' }));
  expect(statuses(answers)).toEqual(Array.from({ length: 20 }, () => 201));
  const slugs = answers.map(({ data }) => data.slug as string);
  const expected = [
    'the-same-title',
    ...Array.from({ length: 19 }, (_, index) => `the-same-title-${index + 2}`),
  ];
  expect(slugs.toSorted()).toEqual(expected.toSorted());
});

test('of twenty concurrent creates with one slug, one succeeds', async () => {
  const answers = await times(20, () => call('POST', '/articles', { slug: 'only-one' }));
  expect(statuses(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect(
    answers.filter(({ status }) => status === 409).every(({ json }) => json.error.code === 'SLUG_CONFLICT'),
  ).toBe(true);
});

test('concurrent drafts are separate transactions, and a refused one does not affect the others', async () => {
  await buildArticle(api, tenant.secretKey, { slug: 'taken' });
  const slugs = Array.from({ length: 20 }, (_, index) => (index === 7 ? 'taken' : `draft-${index}`));
  const create = () =>
    Promise.all(slugs.map((slug) => call('POST', '/articles', { slug, seo_keywords: ['a "b"'] })));
  const first = await create();
  expect(statuses(first)).toEqual([...Array.from({ length: 19 }, () => 201), 409]);
  expect(first[7]?.json.error.code).toBe('SLUG_CONFLICT');
  slugs.forEach((_, index) => (slugs[index] = `other-${index}`));
  const answers = await create();
  const ids = answers.map(({ data }) => data.id as string);
  const count = z.object({ transactions: z.number(), answers: z.number() });
  const made = await api.db.one(sql.type(count)`
    select count(distinct xmin::text)::int as transactions,
      (select count(*)::int from idempotency_records where body::jsonb -> 'data' ->> 'id' = any(${sql.array(ids, 'text')})) as answers
    from articles where id = any(${sql.array(ids, 'uuid')})`);
  expect(made.answers).toBe(20);
  expect(made.transactions).toBe(20);
  const last = answers[19];
  expect((await call('GET', `/articles/${ids[19]}`)).data).toEqual(last?.data);
});

test('of twenty concurrent changes with one If-Match, one succeeds', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Before' });
  const answers = await times(20, (index) =>
    call('PATCH', `/articles/${id}`, { title: `After ${index}` }, { 'if-match': 'W/"1"' }),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
});

test('twenty concurrent changes of a published article all succeed, each with its version and its event', async () => {
  const { id } = await buildPublished(api, tenant.secretKey, { title: 'Before' });
  const answers = await times(20, (index) =>
    call('PATCH', `/articles/${id}`, { title: `After ${index}`, seo_keywords: [`k${index}`] }),
  );
  expect(statuses(answers)).toEqual(Array.from({ length: 20 }, () => 200));
  // Created as version 1, published as 2.
  const tags = Array.from({ length: 20 }, (_, index) => `W/"${index + 3}"`);
  expect(answers.map(({ headers }) => headers.get('etag')).toSorted()).toEqual(tags.toSorted());
  const last = answers.find(({ headers }) => headers.get('etag') === tags.at(-1));
  expect((await call('GET', `/articles/${id}`)).data).toEqual(last?.data);
  expect(await eventsOf(id)).toEqual(['article.published', ...answers.map(() => 'article.updated')]);
});

test('concurrent changes of many articles are each answered with what was written', async () => {
  const articles = await times(20, (index) =>
    (index % 2 ? buildPublished : buildArticle)(api, tenant.secretKey, { title: `Before ${index}` }),
  );
  const answers = await Promise.all(
    articles.map(({ id }, index) =>
      call('PATCH', `/articles/${id}`, { title: `After ${index}`, content: `${index}` }),
    ),
  );
  for (const [index, { id }] of articles.entries()) {
    expect(answers[index]).toMatchObject({
      status: 200,
      data: { id, title: `After ${index}`, content: `${index}` },
    });
    expect((await call('GET', `/articles/${id}`)).data).toEqual(answers[index]?.data);
    expect(await eventsOf(id)).toEqual(index % 2 ? ['article.published', 'article.updated'] : []);
  }
});

test('ten concurrent publications publish once, with one event', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Once', content: 'Text.' });
  const answers = await times(10, () => call('POST', `/articles/${id}/publish`));
  expect(statuses(answers)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await eventsOf(id)).toEqual(['article.published']);
});

test('concurrent scheduling and cancelling end in one of the two states, never in between', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Either', content: 'Text.' });
  const when = new Date(Date.now() + 3_600_000).toISOString();
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: when }),
      call('POST', `/articles/${id}/cancel-schedule`),
    ]);
    expect(statuses(answers)).toEqual([200, 200]);
    const { data } = await call('GET', `/articles/${id}`);
    expect([data.status, data.scheduled_publish_at]).toEqual(
      data.status === 'scheduled' ? ['scheduled', when] : ['draft', null],
    );
  }
});

test('an article that gets a category while the category is deleted ends without it, or is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const category = await buildTerm(api, tenant.secretKey, 'categories');
    const [deleted, ...created] = await Promise.all([
      call('DELETE', `/categories/${category.id}`),
      ...Array.from({ length: 5 }, () => call('POST', '/articles', { title: 'x', category_id: category.id })),
    ]);
    expect(deleted?.status).toBe(204);
    for (const answer of created) expect([201, 422]).toContain(answer.status);
    const { data } = await call('GET', `/articles?category_id=${category.id}`);
    expect(data.items).toEqual([]);
  }
});

test('counts are exact after many concurrent writes, even if articles swap categories', async () => {
  const [one, two] = [
    await buildTerm(api, tenant.secretKey, 'categories'),
    await buildTerm(api, tenant.secretKey, 'categories'),
  ];
  const tag = await buildTerm(api, tenant.secretKey, 'tags');
  const articles = await times(10, (index) =>
    (index % 2 ? buildPublished : buildArticle)(api, tenant.secretKey, {
      category_id: index % 3 ? one.id : two.id,
      tag_ids: [tag.id],
    }),
  );
  const writes = articles.flatMap((article, index) => [
    call('PATCH', `/articles/${article.id}`, { category_id: index % 3 ? two.id : one.id }),
    call('PATCH', `/articles/${article.id}`, { tag_ids: index % 4 ? [tag.id] : [] }),
    index % 5 ? call('POST', `/articles/${article.id}/unpublish`) : call('DELETE', `/articles/${article.id}`),
  ]);
  for (const answer of await Promise.all(writes)) expect(answer.status).toBeLessThan(500);
  for (const path of [`/categories/${one.id}`, `/categories/${two.id}`, `/tags/${tag.id}`]) {
    const [kind, id] = path.slice(1).split('/');
    const filter = kind === 'tags' ? `tag_id=${id}` : `category_id=${id}`;
    const listed = (await call('GET', `/articles?limit=100&${filter}`)).data.items;
    expect((await call('GET', path)).data.article_count).toBe(listed.length);
    const seen = (await api.request('GET', path, { key: tenant.publishableKey })).data.article_count;
    expect(seen).toBe(listed.filter(({ status }: { status: string }) => status === 'published').length);
  }
});
