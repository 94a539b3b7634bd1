import { postCases } from '../adapters/cms/post-cases.ts';
import { buildTerm } from '../support/builders.ts';
import { startPushes } from '../support/pushes.ts';
import type { PushStack } from '../support/pushes.ts';
import { startWordPress } from './support/wordpress.ts';
import type { WordPress, WordPressPost } from './support/wordpress.ts';

let stack: PushStack;
let wp: WordPress;
let password: string;
let before: readonly Buffer[];

beforeAll(async () => {
  [stack, wp] = await Promise.all([startPushes(), startWordPress()]);
  stack.allowedHosts.add(wp.proxy.host);
}, 500_000);
afterAll(async () => {
  await stack.close();
  await wp.close();
});
beforeEach(async () => {
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
  await stack.api.db.pool.query('delete from rate_limit_counters');
  for (const { id } of await wp.posts()) await wp.call('DELETE', `/posts/${id}?force=true`);
  password = await wp.newPassword();
  before = await wp.images();
  Object.assign(wp.proxy, { writes: 0, answer: null, cutsAnswers: false });
});

const connection = () => ({
  kind: 'wordpress',
  config: { site_url: wp.proxy.url, user: wp.user },
  secret: password,
});
const bySlug = async (slug: string): Promise<WordPressPost> => {
  const found = (await wp.posts()).find((post) => post.slug === slug);
  if (found === undefined) throw new Error(`No post ${slug}`);
  return found;
};
const only = async (): Promise<WordPressPost> => (await wp.posts())[0] as WordPressPost;

postCases(
  () => stack,
  () => ({
    host: wp.proxy.host,
    connection,
    posts: async () =>
      (await wp.posts()).map(({ slug, title, content, status }) => ({
        slug,
        title: title.raw.replaceAll('&amp;', '&'),
        html: content.raw,
        shown: status === 'publish',
      })),
    writes: () => wp.proxy.writes,
    edit: async (slug) =>
      void (await wp.call('POST', `/posts/${(await bySlug(slug)).id}`, { content: '<p>By hand.</p>' })),
    remove: async (slug) => void (await wp.call('DELETE', `/posts/${(await bySlug(slug)).id}?force=true`)),
    add: async (slug) => void (await wp.call('POST', '/posts', { slug, title: 'Mine', status: 'private' })),
    answers: (status, headers = {}) => void (wp.proxy.answer = status === null ? null : { status, headers }),
    losesAnswers: (loses) => void (wp.proxy.cutsAnswers = loses),
    revoke: () => wp.revokePasswords(),
    images: async () => (await wp.images()).filter((image) => !before.some((known) => known.equals(image))),
  }),
);

test('a category and tags are made once, and one that is taken away is gone', async () => {
  const { id } = await stack.connect(connection());
  const { secretKey } = stack.tenant;
  const category = await buildTerm(stack.api, secretKey, 'categories', { name: 'Bäcker & mehr' });
  const tag = await buildTerm(stack.api, secretKey, 'tags', { name: 'Brot' });
  const terms = { category_id: category.id, tag_ids: [tag.id] };
  const article = await stack.publish(terms);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  const { categories, tags } = await only();
  expect([categories, tags]).toEqual([[expect.any(Number)], [expect.any(Number)]]);
  await stack.request('PATCH', `/articles/${article.id}`, { category_id: null, tag_ids: [] });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  expect(await only()).toMatchObject({ tags: [] });
  expect((await only()).categories).not.toEqual(categories);
  await stack.request('PATCH', `/articles/${article.id}`, terms);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  expect(await only()).toMatchObject({ categories, tags });
});

test('a post in the trash counts as deleted', async () => {
  const { id } = await stack.connect(connection());
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  await wp.call('DELETE', `/posts/${(await only()).id}`);
  expect(await stack.pushed(id, article.id)).toMatchObject({
    status: 'diverged',
    error: expect.stringContaining('deleted'),
  });
});
