import { postCases } from '../adapters/cms/post-cases.ts';
import { buildTerm } from '../support/builders.ts';
import { startPushes } from '../support/pushes.ts';
import type { PushStack } from '../support/pushes.ts';
import { startGhost } from './support/ghost.ts';
import type { Ghost, GhostPost } from './support/ghost.ts';

let stack: PushStack;
let ghost: Ghost;
let key: string;
let integrationId: string;
let before: readonly Buffer[];

beforeAll(async () => {
  [stack, ghost] = await Promise.all([startPushes(), startGhost()]);
  stack.allowedHosts.add(ghost.proxy.host);
}, 500_000);
afterAll(async () => {
  await stack.close();
  await ghost.close();
});
beforeEach(async () => {
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
  await stack.api.db.pool.query('delete from rate_limit_counters');
  for (const { id } of await ghost.posts()) await ghost.call('DELETE', `/posts/${id}/`);
  ({ key, integrationId } = await ghost.newKey());
  before = await ghost.images();
  Object.assign(ghost.proxy, { writes: 0, answer: null, cutsAnswers: false });
});

const connection = () => ({ kind: 'ghost', config: { admin_url: `${ghost.proxy.url}/ghost/` }, secret: key });
const bySlug = async (slug: string): Promise<GhostPost> => {
  const found = (await ghost.posts()).find((post) => post.slug === slug);
  if (found === undefined) throw new Error(`No post ${slug}`);
  return found;
};
const only = async (): Promise<GhostPost> => (await ghost.posts())[0] as GhostPost;

postCases(
  () => stack,
  () => ({
    host: ghost.proxy.host,
    connection,
    posts: async () =>
      (await ghost.posts()).map(({ slug, title, html, status }) => ({
        slug,
        title,
        html,
        shown: status === 'published',
      })),
    writes: () => ghost.proxy.writes,
    async edit(slug) {
      const { id, updated_at } = await bySlug(slug);
      await ghost.call('PUT', `/posts/${id}/?source=html`, {
        posts: [{ html: '<p>By hand.</p>', updated_at }],
      });
    },
    remove: async (slug) => void (await ghost.call('DELETE', `/posts/${(await bySlug(slug)).id}/`)),
    add: async (slug) =>
      void (await ghost.call('POST', '/posts/', { posts: [{ slug, title: 'Mine', status: 'published' }] })),
    answers: (status, headers = {}) =>
      void (ghost.proxy.answer = status === null ? null : { status, headers }),
    losesAnswers: (loses) => void (ghost.proxy.cutsAnswers = loses),
    revoke: () => ghost.call('DELETE', `/integrations/${integrationId}/`),
    images: async () =>
      (await ghost.images()).filter((image) => !before.some((known) => known.equals(image))),
  }),
);

test('category and tags become tags, the category first, and an excerpt and metadata go along', async () => {
  const { id } = await stack.connect(connection());
  const { secretKey } = stack.tenant;
  const category = await buildTerm(stack.api, secretKey, 'categories', { name: 'Baking' });
  const tag = await buildTerm(stack.api, secretKey, 'tags', { name: 'Bread' });
  const values = { excerpt: 'Short.', seo_title: 'For engines', seo_description: 'Described.' };
  const article = await stack.publish({ ...values, category_id: category.id, tag_ids: [tag.id] });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  const post = await only();
  expect(post).toMatchObject({
    custom_excerpt: 'Short.',
    meta_title: 'For engines',
    meta_description: 'Described.',
  });
  expect(post.tags.map(({ name }) => name)).toEqual(['Baking', 'Bread']);
  // Ghost has no fractions of seconds.
  expect(post.published_at.slice(0, 19)).toBe(article.published_at.slice(0, 19));
});

test('nothing of the text is lost in the form that Ghost stores', async () => {
  const { id } = await stack.connect(connection());
  const content = [
    'Some ~~deleted~~, **bold** and `code()` text[^1].',
    '## A heading',
    '| A | B |\n| - | - |\n| 1 | 2 |',
    '```js\nlet x = 1 < 2;\n```',
    '1. one\n   - nested\n2. two',
    '> quoted\n>\n> twice',
    '[^1]: The note.',
  ].join('\n\n');
  const article = await stack.publish({ content });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  const { html } = await only();
  for (const part of [
    '<s>deleted</s>',
    '<strong>bold</strong>',
    '<code>code()</code>',
    '<td>2</td>',
    'class="language-js"',
    'let x = 1 &lt; 2;',
    'nested',
    'twice',
    'href="#user-content-fn-1"',
    'id="user-content-fn-1"',
  ])
    expect(html).toContain(part);
});
