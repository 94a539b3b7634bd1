import { convert, exportsFolder, ghostExport, ghostPost, sample } from './converter.ts';
import type { Conversion } from './converter.ts';
import { expectImportable } from './importable.ts';

const folder = exportsFolder();
afterAll(() => folder.remove());

const convertPosts = (posts: readonly unknown[], data: object = {}, ...args: string[]): Promise<Conversion> =>
  convert('ghost', folder.write('export.json', ghostExport({ posts, ...data })), ...args);

async function articleOf(given: object, data: object = {}, ...args: string[]): Promise<any> {
  const { code, file, stderr } = await convertPosts([ghostPost(given)], data, ...args);
  expect(code).toBe(0);
  expectImportable(file);
  expect(file.articles).toHaveLength(1);
  return { ...file.articles[0], stderr };
}

describe('a real export', () => {
  let conversion: Conversion;
  const find = (slug: string): any => conversion.file.articles.find((article: any) => article.slug === slug);

  beforeAll(async () => {
    conversion = await convert('ghost', sample('ghost.json'), '--url', 'https://ada.example.org/');
  });

  test('is a file that can be imported', () => {
    expect(conversion.code).toBe(0);
    expectImportable(conversion.file);
    expect(conversion.file.source).toEqual({ name: 'Ada’s journal', url: 'https://ada.example.org' });
    expect(conversion.stdout).not.toContain('__GHOST_URL__');
  });

  test('a published post has its dates, names, texts for search engines and image', () => {
    const { content: _, ...article } = find('all-the-cards');
    expect(article).toEqual({
      external_id: '65a000000000000000000001',
      status: 'published',
      title: 'All the cards & more',
      slug: 'all-the-cards',
      excerpt: 'In short',
      seo_title: 'Cards for search',
      seo_description: 'What they are',
      featured_image: { url: 'https://ada.example.org/content/images/2026/01/feature.jpg', alt: 'A feature' },
      author: 'ada',
      tags: ['news', 'c'],
      published_at: '2026-01-02T10:00:00.000Z',
      content_updated_at: '2026-02-01T10:00:00.000Z',
    });
  });

  test.each([
    'See [the other post](https://ada.example.org/other-post/).',
    '![Pic](https://ada.example.org/content/images/2026/01/pic.jpg)\n\n*A picture*',
    '## Table\n\n| A | B |\n| - | - |\n| 1 | 2 |',
    '```ts\nconst a: string = "<b>";\n```',
    '[Example page](https://example.org/page)\n\nWhat it says',
    '> 💡 Mind the **gap**',
    '<details>\n\n<summary>More</summary>\n\nHidden text\n\n</details>',
    '[Buy it](https://example.org/buy)',
    '![](https://ada.example.org/content/images/g1.png)\n\n![G2](https://ada.example.org/content/images/g2.png)',
    '<video controls src="https://ada.example.org/content/media/v.mp4"></video>',
    '[The paper](https://ada.example.org/content/files/f.pdf)\n\nAll of it',
  ])('cards: %s', (markdown) => {
    expect(find('all-the-cards').content).toContain(markdown);
  });

  test.each([
    'Written in ***lexical***\\\n[about us](https://ada.example.org/about/) `a < b`',
    '### A heading\n\n1. first\n2. second\n\n> quoted',
    '![An "alt"](https://ada.example.org/content/images/2026/01/a.png)\n\nby **me**',
    '```rust\nfn main() {\n    x <= 1\n}\n```',
    '| a | b |\n|---|---|\n| 1 | *2* |',
    '> 💡 Mind *this*',
    '---\n\n<iframe src="https://www.youtube.com/embed/q" width="200"></iframe>',
  ])('a post without HTML is read from its editor document: %s', (markdown) => {
    expect(find('lexical-alone').content).toContain(markdown);
  });

  test('the older editor’s document is read, too', () => {
    expect(find('mobiledoc-alone').content).toBe(
      'Plain **bold**\\\n[link](https://example.org/)\n\n## From a card\n\n- raw *markdown*\n\n![B](https://ada.example.org/content/images/2017/b.jpg)\n\n*cap*\n\n- item\n\n---',
    );
  });

  test('posts that not everybody could read become drafts', () => {
    for (const slug of ['later', 'letter', 'for-payers', 'empty'])
      expect(find(slug)).toMatchObject({ status: 'draft' });
    expect(conversion.stderr).toContain('post "For payers": is for paid only');
    expect(conversion.stderr).toContain('post "Letter": was only sent by e-mail');
    expect(conversion.stderr).toContain('post "Later": was scheduled for 2031-05-05T10:00:00.000Z');
  });

  test('an untitled draft has neither title nor slug', () => {
    const draft = conversion.file.articles.find(({ content }: any) => content === 'An idea');
    expect(draft).toEqual({
      external_id: '65a000000000000000000004',
      status: 'draft',
      content: 'An idea',
      author: 'ada',
    });
  });

  test('pages and internal tags are left out; losses are reported by name', () => {
    expect(find('about')).toBeUndefined();
    expect(conversion.file.tags).toEqual([
      { slug: 'news', name: 'News' },
      { slug: 'c', name: 'C++' },
    ]);
    for (const words of [
      'page "About": left out',
      '1 × internal tag',
      'post "Lexical alone": an article has one author; left out: Grace Hopper',
      'post "Ümlaut": its canonical URL is left out',
      'the slug "Über_Größe" becomes "ueber-groesse"',
      'post "All the cards & more": its scripts are left out (gist.github.com)',
    ]) {
      expect(conversion.stderr).toContain(words);
    }
  });

  test('authors of posts are kept, without their addresses and passwords', () => {
    expect(conversion.file.authors).toEqual([
      {
        ref: 'ada',
        name: 'Ada Lovelace',
        bio: 'Counts.',
        avatar_url: 'https://ada.example.org/content/images/ada.png',
      },
    ]);
    expect(conversion.stdout).not.toMatch(/@example|\$2a/);
  });

  test('without --url missing URLs are reported, and no placeholder is left', async () => {
    const { code, file, stdout, stderr } = await convert('ghost', sample('ghost.json'));
    expect(code).toBe(0);
    expectImportable(file);
    expect(stdout).not.toContain('__GHOST_URL__');
    expect(file.articles[0]).not.toHaveProperty('featured_image');
    expect(stderr).toContain('--url');
    expect(stderr).toContain('its featured image has no absolute URL (/content/images/2026/01/feature.jpg)');
  });
});

describe('older exports', () => {
  test('data without db, ids and authors by number, times in milliseconds', async () => {
    const data = {
      posts: [
        {
          id: 1,
          uuid: '0a0e9a1c-0000-4000-8000-000000000001',
          title: 'Old',
          slug: 'old',
          html: '<p>x</p>',
          image: 'https://x.example/i.png',
          page: 0,
          status: 'published',
          author_id: 1,
          meta_title: 'M',
          published_at: 1_400_000_000_000,
          updated_at: '2014-06-01 10:00:00',
        },
        {
          id: 2,
          uuid: '0a0e9a1c-0000-4000-8000-000000000002',
          title: 'P',
          slug: 'p',
          page: 1,
          status: 'published',
        },
      ],
      users: [{ id: 1, name: 'Ann', slug: 'ann', image: null, bio: null }],
      tags: [{ id: 7, name: 'T', slug: 't' }],
      posts_tags: [{ id: 1, post_id: 1, tag_id: 7 }],
    };
    const { code, file } = await convert(
      'ghost',
      folder.write('old.json', JSON.stringify({ meta: {}, data })),
    );
    expect(code).toBe(0);
    expectImportable(file);
    expect(file.articles).toEqual([
      {
        external_id: '0a0e9a1c-0000-4000-8000-000000000001',
        status: 'published',
        title: 'Old',
        slug: 'old',
        content: 'x',
        seo_title: 'M',
        featured_image: { url: 'https://x.example/i.png' },
        author: 'ann',
        tags: ['t'],
        published_at: '2014-05-13T16:53:20.000Z',
        content_updated_at: '2014-06-01T10:00:00.000Z',
      },
    ]);
  });
});

test.each([
  ['members only', { visibility: 'members' }, { status: 'draft' }],
  ['published without a time', { published_at: null }, { status: 'draft' }],
  ['published in the future', { published_at: '2999-01-01T00:00:00.000Z' }, { status: 'draft' }],
  [
    'an edit before publishing',
    { updated_at: '2019-01-01T00:00:00.000Z' },
    { content_updated_at: undefined },
  ],
  [
    'a card that is not known',
    {
      html: null,
      lexical:
        '{"root":{"children":[{"type":"x-plugin"},{"type":"paragraph","children":[{"type":"text","text":"a"}]}]}}',
    },
    { content: 'a' },
  ],
  ['half a surrogate pair', { title: 'a\uD800b' }, { title: 'a\uFFFDb' }],
  [
    'an alternative text of great length',
    { feature_image: 'https://x.example/a.png' },
    { featured_image: { url: 'https://x.example/a.png', alt: 'x'.repeat(1_000) } },
  ],
])('%s', async (_, given, expected) => {
  const posts_meta = [{ post_id: '65a000000000000000000001', feature_image_alt: 'x'.repeat(2_000) }];
  const article = await articleOf(given, { posts_meta });
  for (const [name, value] of Object.entries(expected)) expect(article[name]).toEqual(value);
});

describe('hostile files', () => {
  test.each([
    ['no JSON', '{"db": [', 'it is not JSON'],
    ['other JSON', '[1, 2]', 'not a Ghost export'],
    ['null', 'null', 'not a Ghost export'],
    ['an import file', '{"format":"service-import","version":1,"articles":[]}', 'not a Ghost export'],
    ['posts that are no list', '{"db":[{"data":{"posts":{}}}]}', 'not a Ghost export'],
    ['JSON nested without end', '['.repeat(200_000), 'JSON'],
  ])('%s is refused with code 2 and an empty stdout', async (_, json, message) => {
    const { code, stdout, stderr } = await convert('ghost', folder.write('hostile.json', json));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test.each([
    ['no JSON', 'nope'],
    ['nested without end', `{"root":${nested(2_000)}}`],
  ])('a post whose editor data is %s is left out by name', async (_, lexical) => {
    const { code, file, stderr } = await convertPosts([
      ghostPost({ html: null, lexical, title: 'Broken' }),
      ghostPost({ id: '65a000000000000000000002', slug: 'other' }),
    ]);
    expect([code, file.articles.length]).toEqual([1, 1]);
    expect(stderr).toContain('post "Broken": left out: its content cannot be read');
  });

  test('members of other types, and names of Object.prototype', async () => {
    const posts = [
      null,
      7,
      ghostPost({ title: { a: 1 }, slug: ['x'], feature_image: 5, html: { b: 2 }, lexical: null, status: 3 }),
      ghostPost({
        id: '__proto__',
        uuid: null,
        slug: 'constructor',
        html: null,
        lexical:
          '{"root":{"children":[{"type":"__proto__"},{"type":"constructor","children":7},{"type":"toString"}]}}',
      }),
    ];
    const { code, file } = await convertPosts(posts, { users: 'none', tags: [null], posts_tags: [{}] });
    expect(code).toBe(2);
    expect(file).toBeUndefined();
    const other = await convertPosts(posts, { users: null, tags: [null], posts_tags: [{}] });
    expect(other.code).toBe(0);
    expectImportable(other.file);
  });
});

function nested(levels: number): string {
  return `${'{"type":"list","children":['.repeat(levels)}${']}'.repeat(levels)}`;
}

describe('the command line', () => {
  test.each([
    [[], 'missing required argument'],
    [['drupal', 'x'], 'Allowed choices are ghost, wordpress'],
    [['ghost'], 'missing required argument'],
    [['ghost', 'x', '--url', 'not-a-url'], 'must be a URL'],
    [['ghost', 'x', 'y'], 'Only WordPress divides an export'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await convert(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
