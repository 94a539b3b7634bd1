import { startGhostServer } from '../../support/cms/ghost-server.ts';
import type { GhostServer } from '../../support/cms/ghost-server.ts';
import { buildTerm } from '../../support/builders.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';
import { postCases } from './post-cases.ts';

let stack: PushStack;
let ghost: GhostServer;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  ghost = await startGhostServer();
  stack.allowedHosts.add(ghost.host);
  await stack.disconnect();
  await stack.forgetLimits();
});
afterEach(() => ghost.close());

const connection = () => ({ kind: 'ghost', config: { admin_url: `${ghost.url}/ghost/` }, secret: ghost.key });

postCases(
  () => stack,
  () => ({
    host: ghost.host,
    connection,
    posts: () =>
      [...ghost.posts.values()].map(({ slug, title, html, status }) => ({
        slug,
        title,
        html,
        shown: status === 'published',
      })),
    writes: () => ghost.requests.filter((request) => !request.startsWith('GET ')).length,
    edit: (slug) => ghost.edit(slug, { html: '<p>By hand.</p>' }),
    remove: (slug) => {
      for (const post of ghost.posts.values()) if (post.slug === slug) ghost.posts.delete(post.id);
    },
    add: (slug) =>
      void ghost.posts.set('a1', {
        id: 'a1',
        slug,
        title: 'Mine',
        html: '<p>Mine</p>',
        status: 'published',
        updated_at: '2026-01-01T00:00:00.000Z',
        url: `${ghost.url}/${slug}/`,
      }),
    answers: (status, headers = {}) => void (ghost.answer = status === null ? null : { status, headers }),
    losesAnswers: (loses) => void (ghost.cutAfter = loses ? (ghost.posts.size === 0 ? 'POST' : 'PUT') : null),
    revoke: () => void (ghost.key = ghost.key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
    images: () => [...ghost.images.values()],
  }),
);

test('a person who edits at the same moment is not overwritten', async () => {
  const { id } = await stack.connect(connection());
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  await stack.request('PATCH', `/articles/${article.id}`, { title: 'Another title' });
  ghost.beforeWrite = () => ghost.edit(article.slug, { title: 'By hand' });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'diverged' });
  expect([...ghost.posts.values()].map(({ title }) => title)).toEqual(['By hand']);
});

test.each([
  ['text', { html: '<p>By hand.</p>' }],
  ['description', { meta_description: 'By hand.' }],
  ['tags', { tags: [{ name: 'By hand' }] }],
])(
  'a change of the %s within the second of the push is not overwritten, although Ghost keeps only seconds',
  async (_, values) => {
    const { id } = await stack.connect(connection());
    const article = await stack.publish();
    await stack.pushed(id, article.id);
    for (const post of ghost.posts.values()) Object.assign(post, values);
    await stack.request('PATCH', `/articles/${article.id}`, { title: 'Another title' });
    expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'diverged' });
    expect([...ghost.posts.values()]).toMatchObject([values]);
  },
);

test('category and tags become tags, the category first, and an excerpt and metadata go along', async () => {
  const { id } = await stack.connect(connection());
  const { secretKey } = stack.tenant;
  const category = await buildTerm(stack.api, secretKey, 'categories', { name: 'Baking' });
  const tag = await buildTerm(stack.api, secretKey, 'tags', { name: 'Bread' });
  const values = { excerpt: 'Short.', seo_title: 'For engines', seo_description: 'Described.' };
  const article = await stack.publish({ ...values, category_id: category.id, tag_ids: [tag.id] });
  await stack.pushed(id, article.id);
  expect([...ghost.posts.values()][0]).toMatchObject({
    tags: [{ name: 'Baking' }, { name: 'Bread' }],
    custom_excerpt: 'Short.',
    meta_title: 'For engines',
    meta_description: 'Described.',
    published_at: article.published_at,
  });
});
