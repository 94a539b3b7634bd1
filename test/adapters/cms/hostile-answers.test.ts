import { createGhostApi } from '../../../adapters/cms/ghost/api.ts';
import type { WantedPost } from '../../../adapters/cms/posts/post-system.ts';
import { createWordPressApi } from '../../../adapters/cms/wordpress/api.ts';
import type { Remote } from '../../../domain/cms/adapter.ts';
import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { Post } from '../../../domain/cms/post.ts';
import { measureWork } from '../../support/work.ts';

/** As many elements as fit into an answer. */
const many = (element: string) => `[${`${element},`.repeat(2 ** 22 / 4)}${element}]`;

const remote = { siteId: 'a', secret: 'a:bc', config: {} } as unknown as Remote;

/** A system that answers every request with the same text. */
const answering = (text: string) => ({
  clock: { now: () => new Date() },
  http: {
    close: async () => {},
    request: async () => ({
      outcome: 'response' as const,
      status: 200,
      headers: {},
      body: Buffer.from(text),
      durationMs: 1,
      url: '',
    }),
  },
});
const ghost = (text: string) => createGhostApi(answering(text), remote);
const wordpress = (text: string) => createWordPressApi(answering(text), remote);

const image = { fileName: 'a.png', mimeType: 'image/png', altText: null, bytes: Buffer.from('a') };
const post = { tags: [{ name: 'A', slug: 'a' }], category: null, published_at: null } as unknown as Post;
const wanted: WantedPost = { post, title: '', slug: '', excerpt: '', html: '', image: null };

test.each<[string, string, (text: string) => Promise<unknown>]>([
  ['posts of Ghost', `{"posts":${many('{}')}}`, (text) => ghost(text).find('a')],
  ['errors of Ghost', `{"errors":${many('{}')}}`, (text) => ghost(text).find('a')],
  ['images of Ghost', `{"images":${many('{}')}}`, (text) => ghost(text).upload(image)],
  [
    'tags of Ghost',
    `{"posts":[{"id":"a","updated_at":"","tags":${many('{}')}}]}`,
    (text) => ghost(text).find('a'),
  ],
  ['posts of WordPress', many('{}'), (text) => wordpress(text).findBySlug('a')],
  ['terms of WordPress', many('{}'), (text) => wordpress(text).create(wanted)],
  [
    'tags of WordPress',
    `{"id":1,"slug":"","status":"","tags":${many('{}')}}`,
    (text) => wordpress(text).find('1'),
  ],
  [
    'categories of WordPress',
    `{"id":1,"slug":"","status":"","categories":${many('{}')}}`,
    (text) => wordpress(text).find('1'),
  ],
])('%s without number are refused or left unread at once', async (_, text, call) => {
  const parsing = measureWork();
  JSON.parse(text);
  const parsed = parsing();
  const reading = measureWork();
  await call(text).catch((error: unknown) => expect(error).toBeInstanceOf(PushFailure));
  // Terms are asked for, and then made: two answers.
  expect(reading()).toBeLessThan(3 * parsed + 300);
});

test('of several posts with a slug the first is the one', async () => {
  const posts = [{ id: 1, slug: 'a', status: 'publish' }, { odd: true }];
  expect(await wordpress(JSON.stringify(posts)).findBySlug('a')).toMatchObject({ id: '1', shown: true });
  expect(await wordpress('[]').findBySlug('a')).toBeNull();
});

test('an address of an image that is too long to stand in posts is refused', async () => {
  const url = `https://example.com/${'a'.repeat(2_000)}`;
  await expect(ghost(JSON.stringify({ images: [{ url }] })).upload(image)).rejects.toThrow(PushFailure);
  await expect(wordpress(JSON.stringify({ id: 1, source_url: url })).upload(image)).rejects.toThrow(
    PushFailure,
  );
});

test.each([
  ['U+0000', 'a\0'],
  ['a lone surrogate', 'a\ud800'],
])(
  'what the database cannot store, %s, is refused in what is kept of a post or an image',
  async (_, text) => {
    const post = { id: 'a', slug: 'a', updated_at: '' };
    for (const member of ['id', 'slug', 'updated_at'])
      await expect(ghost(JSON.stringify({ posts: [{ ...post, [member]: text }] })).find('a')).rejects.toThrow(
        PushFailure,
      );
    const shown = JSON.stringify({ id: 1, slug: text, status: 'publish' });
    await expect(wordpress(shown).find('1')).rejects.toThrow(PushFailure);
    await expect(ghost(JSON.stringify({ images: [{ url: text }] })).upload(image)).rejects.toThrow(
      PushFailure,
    );
    await expect(wordpress(JSON.stringify({ id: 1, source_url: text })).upload(image)).rejects.toThrow(
      PushFailure,
    );
  },
);
