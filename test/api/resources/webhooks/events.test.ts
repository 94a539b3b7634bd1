import { startOnSharedDatabase } from '../../../support/api.ts';
import { noise } from '../../../support/images.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';
import { buildArticle, buildKey, buildPublished, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let stack: WebhookStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterAll(() => stack.close());
beforeEach(async () => {
  tenant = await stack.newTenant();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  stack.api.request(method, path, { key: tenant.secretKey, body, headers });
const must = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body);
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.data;
};
const events = async (query = ''): Promise<any[]> => (await must('GET', `/events${query}`)).items;
const publish = (body: object = {}) => buildPublished(stack.api, tenant.secretKey, body);

describe('what is recorded, even without an endpoint', () => {
  test("an article's life: published, updated, unpublished, published and deleted, newest first", async () => {
    const { id } = await publish();
    await must('PATCH', `/articles/${id}`, { title: 'Changed' });
    await must('POST', `/articles/${id}/unpublish`);
    await must('POST', `/articles/${id}/publish`);
    await must('DELETE', `/articles/${id}`);
    const recorded = await events();
    expect(recorded.map(({ event }) => event).toReversed()).toEqual([
      'article.published',
      'article.updated',
      'article.unpublished',
      'article.published',
      'article.deleted',
    ]);
    expect(recorded.every(({ data }) => data.id === id)).toBe(true);
    expect(recorded[0].data).toEqual({ id });
  });

  test('data is the article as GET returns it to a secret key', async () => {
    const category = await buildTerm(stack.api, tenant.secretKey, 'categories');
    const tag = await buildTerm(stack.api, tenant.secretKey, 'tags');
    const article = await publish({
      category_id: category.id,
      tag_ids: [tag.id],
      excerpt: '“Ünïcödé” 🎉 </script>',
    });
    const [event] = await events();
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'article.published',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      data: article,
    });
    await must('PATCH', `/articles/${article.id}`, { title: 'Changed' });
    const [updated] = await events('?event=article.updated');
    expect(updated.data).toEqual(await must('GET', `/articles/${article.id}`));
    await must('POST', `/articles/${article.id}/unpublish`);
    const [unpublished] = await events('?event=article.unpublished');
    expect(unpublished.data).toEqual(await must('GET', `/articles/${article.id}`));
  });

  test('nothing for a draft, a change without effect, or a refused request', async () => {
    const draft = await buildArticle(stack.api, tenant.secretKey, { title: 'Draft' });
    await must('PATCH', `/articles/${draft.id}`, { title: 'Still a draft' });
    const article = await publish({ title: 'Same' });
    await must('PATCH', `/articles/${article.id}`, { title: 'Same' });
    expect((await call('PATCH', `/articles/${article.id}`, { title: 7 })).status).toBe(422);
    expect(
      (await call('PATCH', `/articles/${article.id}`, { title: 'X' }, { 'if-match': 'W/"99"' })).status,
    ).toBe(412);
    expect((await events()).map(({ event }) => event)).toEqual(['article.published']);
  });

  test("no article.updated by the deletion of an article's category, tag or author", async () => {
    const [category, tag, author] = await Promise.all(
      (['categories', 'tags', 'authors'] as const).map((path) =>
        buildTerm(stack.api, tenant.secretKey, path),
      ),
    );
    await publish({ category_id: category.id, tag_ids: [tag.id], author_id: author.id });
    await must('DELETE', `/categories/${category.id}`);
    await must('DELETE', `/tags/${tag.id}`);
    await must('DELETE', `/authors/${author.id}`);
    expect((await events()).map(({ event }) => event)).toEqual(['article.published']);
  });

  test("the Site's id is nowhere in an event", async () => {
    await publish();
    expect(JSON.stringify(await events())).not.toContain(tenant.siteId);
  });

  test('the Site’s id is nowhere in a delivery of an article with images of the library', async () => {
    const jpeg = await noise(8, 8).jpeg().toBuffer();
    const upload = await uploadBytes(stack.api, tenant.secretKey, jpeg);
    const { data: image } = await registerUpload(stack.api, tenant.secretKey, upload);
    const receiver = await stack.receiver();
    const endpoint = await stack.endpoint(receiver.url, {}, tenant.secretKey);
    const { id } = await publish({ featured_image_url: image.url, content: `![](${image.url})` });
    await must('PATCH', `/articles/${id}`, { howto_steps: [{ name: 'a', text: 'b', image_url: image.url }] });
    await stack.deliver(endpoint.id);
    expect(receiver.seen).toHaveLength(2);
    for (const { body } of receiver.seen) {
      expect(JSON.parse(body).data.featured_image_url).toBe(image.url);
      expect(body.replaceAll('-', '')).not.toContain(tenant.siteId.replaceAll('-', ''));
    }
  });

  test('one event has one id for all endpoints, and is delivered as GET returns it', async () => {
    const receivers = [await stack.receiver(), await stack.receiver()];
    const endpoints = [];
    for (const { url } of receivers) endpoints.push(await stack.endpoint(url, {}, tenant.secretKey));
    const other = await stack.receiver();
    const unsubscribed = await stack.endpoint(other.url, { events: ['article.deleted'] }, tenant.secretKey);
    await publish({ title: 'Café' });
    for (const { id } of [...endpoints, unsubscribed]) await stack.deliver(id);
    const [event] = await events();
    expect(receivers.map(({ seen }) => seen.map(({ body }) => JSON.parse(body)))).toEqual([[event], [event]]);
    expect(receivers[0]!.seen[0]!.body).toBe(receivers[1]!.seen[0]!.body);
    expect(other.seen).toEqual([]);
    expect((await call('GET', `/events/${event.id}`)).data).toEqual(event);
  });
});

describe('reading', () => {
  test('pages newest first, without gaps or repetitions', async () => {
    const articles: string[] = [];
    for (let count = 0; count < 5; count += 1) articles.unshift((await publish()).id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await must(
        'GET',
        `/events?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...page.items.map(({ data }: any) => data.id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(articles);
  });

  test('event filters, since is inclusive to the millisecond, and both can be combined', async () => {
    const article = await publish();
    stack.clock.advance(5_000);
    await must('POST', `/articles/${article.id}/unpublish`);
    const [unpublished, published] = await events();
    const after = (time: string, by: number) =>
      encodeURIComponent(new Date(Date.parse(time) + by).toISOString());
    expect(await events('?event=article.published')).toEqual([published]);
    expect(await events(`?since=${after(unpublished.created_at, 0)}`)).toEqual([unpublished]);
    expect(await events(`?since=${after(unpublished.created_at, 1)}`)).toEqual([]);
    expect(await events(`?since=${after(published.created_at, 0)}&event=article.published`)).toEqual([
      published,
    ]);
  });

  test.each([
    '?event=article.read',
    '?event=ping',
    '?event=',
    '?since=yesterday',
    '?cursor=nonsense',
    '?limit=0',
  ])('%s is 400', async (query) => {
    const answer = await call('GET', `/events${query}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  test("another Site's event, a ping and an unknown one are 404", async () => {
    await publish();
    const [event] = await events();
    const receiver = await stack.receiver();
    const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
    const ping = await must('POST', `/webhooks/${id}/ping`);
    expect((await events()).map(({ event: name }) => name)).toEqual(['article.published']);
    for (const path of [ping.event_id, '00000000-0000-4000-8000-000000000000', 'nonsense'])
      expect((await call('GET', `/events/${path}`)).status).toBe(404);
    tenant = await stack.newTenant();
    expect((await call('GET', `/events/${event.id}`)).status).toBe(404);
    expect(await events()).toEqual([]);
  });

  test('needs webhooks:read, and no other scope', async () => {
    const key = async (scope: 'webhooks:read' | 'webhooks:write' | 'articles:read') =>
      (await buildKey(stack.api.db, tenant.siteId, tenant.memberId, { scopes: [scope] })).secret;
    const status = async (scope: Parameters<typeof key>[0]) =>
      (await stack.api.request('GET', '/events', { key: await key(scope) })).status;
    expect([
      await status('webhooks:read'),
      await status('webhooks:write'),
      await status('articles:read'),
    ]).toEqual([200, 403, 403]);
  });

  test('an event is kept for 30 days, and not returned afterwards', async () => {
    await publish();
    const [event] = await events();
    stack.clock.advance(30 * DAY - 5_000);
    expect(await events()).toEqual([event]);
    expect((await call('GET', `/events/${event.id}`)).status).toBe(200);
    stack.clock.advance(5_001);
    expect(await events()).toEqual([]);
    expect((await call('GET', `/events/${event.id}`)).status).toBe(404);
  });
});
