import { randomUUID } from 'node:crypto';
import { buildPublished, buildTenant } from '../../../support/builders.ts';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';

let stack: CommentStack;

beforeAll(async () => {
  stack = await startComments();
});
afterAll(() => stack.close());

const shown = async (site: CommentSite): Promise<string[]> =>
  (await site.show()).data.items.map(({ body }: { body: string }) => body);

/** Adds approved comments to the article, a second apart. */
const fill = async (site: CommentSite, count: number): Promise<void> => {
  await stack.api.db.pool.query(
    `insert into comments (id, site_id, article_id, status, is_public, author_name, author_email, body, created_at, updated_at)
     select uuidv7(), $1, $2, 'approved', true, 'Ada', 'ada@example.com', 'Comment ' || n, t, t
     from generate_series(1, $3::int) n, lateral (select now() - interval '1 day' + (n / 3) * interval '1 second') as t (t)`,
    [site.siteId, site.articleId, count],
  );
};

test('comments are off by default', async () => {
  const tenant = await buildTenant(stack.api.db);
  const { slug } = await buildPublished(stack.api, tenant.secretKey);
  const answer = await stack.api.request('GET', `/comments/posts/${slug}`, { key: tenant.publishableKey });
  expect(answer.data).toEqual({
    enabled: false,
    open: false,
    require_email: false,
    items: [],
    next_cursor: null,
  });
});

test('approved comments are shown oldest first, with replies, and without addresses', async () => {
  const site = await stack.newSite({ require_email: true });
  const email = { author_email: 'secret@example.com' };
  const first = await site.comment({ body: 'First', ...email });
  await site.comment({ body: 'Second', ...email });
  await site.comment({ body: 'Reply', parent_id: first.id, ...email });
  const held = await site.comment({ body: 'Held', ...email });
  await site.request('POST', `/comments/${held.id}/hold`);
  const answer = await site.show();
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({ enabled: true, open: true, require_email: true, next_cursor: null });
  expect(answer.data.items.map((item: any) => [item.body, item.parent_id])).toEqual([
    ['First', null],
    ['Second', null],
    ['Reply', first.id],
  ]);
  expect(answer.text).not.toContain('secret@example.com');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

test('a thread is hidden while its first comment is not approved', async () => {
  const site = await stack.newSite();
  const root = await site.comment({ body: 'Root' });
  const reply = await site.comment({ body: 'Reply', parent_id: root.id });
  await site.request('POST', `/comments/${root.id}/reply`, { body: 'By the Site' });
  await site.comment({ body: 'Other' });
  expect(await shown(site)).toEqual(['Root', 'Reply', 'By the Site', 'Other']);
  for (const verb of ['hold', 'spam']) {
    await site.request('POST', `/comments/${root.id}/${verb}`);
    expect(await shown(site)).toEqual(['Other']);
  }
  await site.request('POST', `/comments/${reply.id}/hold`);
  await site.request('POST', `/comments/${reply.id}/approve`);
  expect(await shown(site)).toEqual(['Other']);
  await site.request('POST', `/comments/${reply.id}/hold`);
  await site.request('POST', `/comments/${root.id}/approve`);
  expect(await shown(site)).toEqual(['Root', 'By the Site', 'Other']);
  await site.request('POST', `/comments/${reply.id}/approve`);
  expect(await shown(site)).toEqual(['Root', 'Reply', 'By the Site', 'Other']);
});

test('when switched off, comments are hidden and not deleted', async () => {
  const site = await stack.newSite();
  await site.comment({ body: 'There' });
  await site.set({ enabled: false });
  expect((await site.show()).data).toMatchObject({
    enabled: false,
    open: false,
    items: [],
    next_cursor: null,
  });
  expect((await site.request('GET', '/comments')).data.items).toHaveLength(1);
  await site.set({ enabled: true });
  expect(await shown(site)).toEqual(['There']);
});

test.each(['nowhere', 'reply', 'settings', '%F0%9F%8E%89', 'a%00b', '..', 'x'.repeat(3_000)])(
  'the slug %s of nothing is 404',
  async (slug) => {
    const site = await stack.newSite();
    const answer = await stack.api.request('GET', `/comments/posts/${slug}`, { key: site.publishableKey });
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
  },
);

test.each(['reply', 'approve', 'settings', 'erase', 'posts'])(
  'an article may have the slug %s',
  async (slug) => {
    const site = await stack.newSite();
    await buildPublished(stack.api, site.secretKey, { slug });
    const answer = await stack.api.request('GET', `/comments/posts/${slug}`, { key: site.publishableKey });
    expect(answer.status).toBe(200);
    expect((await site.submit({ slug, body: 'Here.' })).status).toBe(201);
  },
);

test("another Site's article is 404", async () => {
  const [site, other] = [await stack.newSite(), await stack.newSite()];
  const answer = await stack.api.request('GET', `/comments/posts/${other.slug}`, {
    key: site.publishableKey,
  });
  expect(answer.status).toBe(404);
});

test('pages of 100 show each comment once, even if many have the same time and more arrive', async () => {
  const site = await stack.newSite();
  await fill(site, 250);
  const seen: string[] = [];
  let [query, pages] = ['', 0];
  for (;;) {
    const { data } = await site.show(query);
    seen.push(...data.items.map(({ id }: { id: string }) => id));
    pages += 1;
    if (data.next_cursor === null) break;
    expect(data.items).toHaveLength(100);
    query = `?cursor=${data.next_cursor}`;
    if (pages === 1) await site.comment({ body: 'New at the end' });
  }
  expect(pages).toBe(3);
  expect(new Set(seen).size).toBe(251);
});

test('a cursor is only valid for its article, in its Site', async () => {
  const [site, other] = [await stack.newSite(), await stack.newSite()];
  await fill(site, 101);
  const { next_cursor: cursor } = (await site.show()).data;
  const { slug } = await buildPublished(stack.api, site.secretKey);
  const key = site.publishableKey;
  for (const answer of [
    await stack.api.request('GET', `/comments/posts/${slug}?cursor=${cursor}`, { key }),
    await other.show(`?cursor=${cursor}`),
    await site.show(`?cursor=${cursor.slice(0, -2)}`),
    await site.request('GET', `/comments?cursor=${cursor}`),
    await site.show('?limit=10'),
    await site.show('?cursor=a&cursor=b'),
  ])
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

describe('ETag', () => {
  const tagOf = async (site: CommentSite) => (await site.show()).headers.get('etag') as string;

  test('identifies the version, and If-None-Match gives 304', async () => {
    const site = await stack.newSite();
    await site.comment();
    const tag = await tagOf(site);
    const answer = await site.show('', { 'if-none-match': `"other", ${tag}` });
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await site.show('', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  const root = (site: CommentSite) => site.comment({ body: `Root ${randomUUID()}` });
  const changes: readonly (readonly [string, (site: CommentSite, id: string) => Promise<unknown>])[] = [
    ['a new comment', (site) => site.comment()],
    ['a reply of a reader', (site, id) => site.comment({ parent_id: id })],
    ['a reply of the Site', (site, id) => site.request('POST', `/comments/${id}/reply`, { body: 'Thanks.' })],
    ['holding', (site, id) => site.request('POST', `/comments/${id}/hold`)],
    ['spam', (site, id) => site.request('POST', `/comments/${id}/spam`)],
    ['deleting', (site, id) => site.request('DELETE', `/comments/${id}`)],
    ['erasing', (site) => site.request('POST', '/comments/erase', { author_email: 'gone@example.com' })],
    ['switching off', (site) => site.set({ enabled: false })],
    ['asking for addresses', (site) => site.set({ require_email: true })],
    ['closing', (site) => site.set({ close_after_days: 1 })],
  ];

  test.each(changes)('%s changes it', async (_name, change) => {
    const site = await stack.newSite();
    await site.comment({ author_email: 'gone@example.com' });
    const { id } = await root(site);
    const before = await tagOf(site);
    await change(site, id);
    expect(await tagOf(site)).not.toBe(before);
  });

  test('time that closes the article changes it', async () => {
    const site = await stack.newSite({ close_after_days: 1 });
    const before = await tagOf(site);
    stack.clock.advance(25 * 60 * 60_000);
    expect(await tagOf(site)).not.toBe(before);
  });

  test('invisible changes do not change it', async () => {
    const site = await stack.newSite({ moderation: 'hold_all' });
    const { id } = await root(site);
    const before = await tagOf(site);
    await root(site);
    await site.request('POST', `/comments/${id}/spam`);
    await site.request('DELETE', `/comments/${id}`);
    expect(await tagOf(site)).toBe(before);
  });

  test('an article that takes over a slug has other ETags', async () => {
    const site = await stack.newSite();
    const before = await tagOf(site);
    await site.request('DELETE', `/articles/${site.articleId}`);
    await buildPublished(stack.api, site.secretKey, { slug: site.slug });
    expect(await tagOf(site)).not.toBe(before);
  });
});
