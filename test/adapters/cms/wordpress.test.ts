import { buildTerm } from '../../support/builders.ts';
import { startWordPressServer } from '../../support/cms/wordpress-server.ts';
import type { WordPressServer } from '../../support/cms/wordpress-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';
import { postCases } from './post-cases.ts';

let stack: PushStack;
let wp: WordPressServer;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  wp = await startWordPressServer();
  stack.allowedHosts.add(wp.host);
  await stack.disconnect();
  await stack.forgetLimits();
});
afterEach(() => wp.close());

const connection = () => ({
  kind: 'wordpress',
  config: { site_url: `${wp.url}/`, user: wp.user },
  secret: wp.password,
});
const only = () => [...wp.posts.values()][0];
const bySlug = (slug: string) => [...wp.posts.values()].find((post) => post.slug === slug);

postCases(
  () => stack,
  () => ({
    host: wp.host,
    connection,
    posts: () =>
      [...wp.posts.values()].map(({ slug, title, content, status }) => ({
        slug,
        title: title.replaceAll('&amp;', '&'),
        html: content,
        shown: status === 'publish',
      })),
    writes: () => wp.requests.filter((request) => !request.startsWith('GET ')).length,
    edit: (slug) => void ((bySlug(slug) as { content: string }).content = '<p>By hand.</p>'),
    remove: (slug) => void wp.posts.delete(bySlug(slug)?.id as number),
    add: (slug) =>
      void wp.posts.set(99, {
        id: 99,
        slug,
        status: 'private',
        title: 'Mine',
        content: '',
        excerpt: '',
        date_gmt: '',
        featured_media: 0,
        categories: [1],
        tags: [],
      }),
    answers: (status, headers = {}) => void (wp.answer = status === null ? null : { status, headers }),
    losesAnswers: (loses) => void (wp.cutsWrites = loses),
    revoke: () => void (wp.password = 'revoked'),
    images: () => wp.media.map(({ bytes }) => bytes),
  }),
);

test('terms are found by their slugs or made, and the featured image is one of the library', async () => {
  const { id } = await stack.connect(connection());
  const { secretKey } = stack.tenant;
  const category = await buildTerm(stack.api, secretKey, 'categories', { name: 'Baking', slug: 'baking' });
  const [known, renamed, fresh] = [
    await buildTerm(stack.api, secretKey, 'tags', { name: 'Bread', slug: 'bread' }),
    await buildTerm(stack.api, secretKey, 'tags', { name: 'Rolls', slug: 'rolls' }),
    await buildTerm(stack.api, secretKey, 'tags', { name: 'Salt', slug: 'salt' }),
  ];
  wp.terms.tags.push({ id: 501, name: 'Bread', slug: 'bread' }, { id: 502, name: 'Rolls', slug: 'other' });
  const article = await stack.publish({
    excerpt: 'Short.',
    category_id: category.id,
    tag_ids: [known.id, renamed.id, fresh.id],
  });
  stack.clock.advance(10 * 60_000);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded', error: null });
  const salt = wp.terms.tags.find(({ slug }) => slug === 'salt')?.id;
  const baking = wp.terms.categories.find(({ slug }) => slug === 'baking')?.id;
  expect(only()).toMatchObject({
    excerpt: 'Short.',
    tags: [501, 502, salt],
    categories: [baking],
    date_gmt: article.published_at.slice(0, 19),
  });
  await stack.request('PATCH', `/articles/${article.id}`, { category_id: null });
  await stack.pushed(id, article.id);
  expect(only()).toMatchObject({ categories: [] });
});

test('a post that was published just now has the date of WordPress, whose clock may be behind', async () => {
  const { id } = await stack.connect(connection());
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  expect(only()).toMatchObject({ date_gmt: '' });
});

test('a post in the trash counts as deleted', async () => {
  const { id } = await stack.connect(connection());
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  (only() as { status: string }).status = 'trash';
  expect(await stack.pushed(id, article.id)).toMatchObject({
    status: 'diverged',
    error: expect.stringContaining('deleted'),
  });
});

test('a user who may not publish is named by the test', async () => {
  const { id } = await stack.connect(connection());
  wp.capabilities = {};
  const { data } = await stack.request('POST', `/delivery/connections/${id}/test`);
  expect(data).toMatchObject({ ok: false, message: expect.stringContaining('may not publish') });
});

test('an address without the API is named', async () => {
  const { id } = await stack.connect({
    ...connection(),
    config: { site_url: `${wp.url}/blog`, user: wp.user },
  });
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({
    error: expect.stringContaining('No route was found'),
  });
});
