import { convert, exportsFolder, sample, wxr, wxrPost, wxrMeta } from './converter.ts';
import type { Conversion } from './converter.ts';
import { expectImportable } from './importable.ts';

const folder = exportsFolder();
afterAll(() => folder.remove());

let count = 0;
const convertItems = (items: string, channel = ''): Promise<Conversion> =>
  convert('wordpress', folder.write(`${(count += 1)}.xml`, wxr(items, channel)));

/** The only article of an export. */
async function articleOf(given: Readonly<Record<string, string>>, others = ''): Promise<any> {
  const { code, file, stderr } = await convertItems(wxrPost(given) + others);
  expect(code).toBe(0);
  expectImportable(file);
  expect(file.articles).toHaveLength(1);
  return { ...file.articles[0], stderr };
}

describe('a real export', () => {
  let conversion: Conversion;
  const find = (id: number): any =>
    conversion.file.articles.find((article: any) => article.external_id === `kitchen.example.com/?p=${id}`);

  beforeAll(async () => {
    conversion = await convert('wordpress', sample('wordpress.xml'));
  });

  test('is a file that can be imported', () => {
    expect(conversion.code).toBe(0);
    expectImportable(conversion.file);
    expect(conversion.file.source).toEqual({
      name: 'Tom & Jerry’s kitchen',
      url: 'https://kitchen.example.com',
    });
  });

  test('a published post has its dates, names, texts for search engines and image', () => {
    const { content, ...article } = find(101);
    expect(article).toEqual({
      external_id: 'kitchen.example.com/?p=101',
      status: 'published',
      title: 'A loaf, in blocks',
      slug: 'a-loaf-in-blocks',
      excerpt: 'How to bake, & why.',
      seo_title: 'A loaf, in blocks - Tom & Jerry’s kitchen',
      seo_description: 'The whole way from flour to crust',
      featured_image: {
        url: 'https://kitchen.example.com/wp-content/uploads/2025/03/loaf.jpg',
        alt: 'Loaf & board',
      },
      author: 'tom',
      category: 'retsepty',
      tags: ['sourdough', 'long-read', 'baking'],
      published_at: '2025-03-01T08:30:00.000Z',
      content_updated_at: '2025-04-02T10:00:00.000Z',
    });
    expect(content).not.toContain('<!--');
  });

  test.each([
    'Flour, water, **salt** & time. See [who we are](https://kitchen.example.com/about/).',
    '## Steps\n\n1. Mix\n2. Wait\n   - overnight',
    '![A loaf](https://kitchen.example.com/wp-content/uploads/2025/03/loaf.jpg)\n\nOut of the *oven*',
    '```js\nconst grams = 500;\n\nif (grams > 1) bake();\n```',
    '```python\nprint("hi")\n```',
    '| Flour | Grams |\n| - | -: |\n| Rye \\| dark | 200 |\n\n*What you need*',
    '<https://www.youtube.com/watch?v=a_b-c>',
    '<iframe src="https://player.example.com/embed/7" width="560"></iframe>',
    'Yours, the kitchen.\n\n> Bread is life.',
  ])('blocks: %s', (markdown) => {
    expect(find(101).content).toContain(markdown);
  });

  test.each([
    'First paragraph\\\nwith a line break.\n\nSecond one, *with\\\nemphasis*.',
    '[![Small](https://kitchen.example.com/wp-content/uploads/2025/03/loaf-300x200.jpg)](https://kitchen.example.com/big.jpg)\n\nA **small** loaf',
    '> Quoted\n>\n> twice\n\n<https://vimeo.com/123456>\n\n- one\n- two',
    '![Loaf & board](https://kitchen.example.com/wp-content/uploads/2025/03/loaf.jpg)\n\n*The loaf*\n\n![](https://kitchen.example.com/wp-content/uploads/2025/03/crumb.png)',
    '```php\n<?php echo "x";\n\n// done\n```',
    '\\[sic] and \\[gallery] stay.\n\n<https://twitter.com/x/status/1>',
  ])('the classic editor: %s', (markdown) => {
    expect(find(12).content).toContain(markdown);
  });

  test('posts that not everybody may read, or not yet, become drafts', () => {
    for (const id of [14, 15, 16, 17, 18]) expect(find(id)).toMatchObject({ status: 'draft' });
    expect(conversion.stderr).toContain('post "For friends": is private');
    expect(conversion.stderr).toContain('post "With a password": has a password');
    expect(conversion.stderr).toContain('post "Tomorrow": was scheduled for 2031-01-01 11:00:00');
    expect(conversion.stderr).not.toContain('hunter2');
  });

  test('a published post without a title becomes a draft', () => {
    expect(find(21)).toMatchObject({ status: 'draft', content: 'A post that has no title' });
    expect(conversion.stderr).toContain('post "21": has no title');
  });

  test('a time without its offset, and a slug of another script', () => {
    expect(find(13)).toMatchObject({
      slug: 'pirozhki',
      published_at: '2012-05-05T12:00:00.000Z',
      category: 'baking',
    });
    expect(find(13)).not.toHaveProperty('featured_image');
    expect(conversion.stderr).toContain('the slug "пирожки" becomes "pirozhki": its URL changes');
  });

  test('pages, products and the trash are left out and reported; menus and automatic drafts are left out silently', () => {
    for (const id of [2, 19, 20, 55, 70, 80, 81]) expect(find(id)).toBeUndefined();
    for (const name of ['page "About"', 'product "Whisk"', 'post "Thrown away"']) {
      expect(conversion.stderr).toContain(`${name}: left out`);
    }
    expect(conversion.stderr).not.toMatch(/Home|Auto Draft|Sign-off/);
    expect(conversion.stderr).toContain('1 × comment');
  });

  test('authors of posts are kept, without their addresses', () => {
    expect(conversion.file.authors).toEqual([
      { ref: 'tom', name: 'Tom Baker' },
      { ref: 'jerry', name: 'Jérôme "Jerry" O\'Neil' },
      { ref: 'ghostwriter', name: 'ghostwriter' },
    ]);
    expect(conversion.stdout).not.toMatch(/@kitchen|ann@example/);
  });

  test('no post gets the category "uncategorized"', () => {
    expect(conversion.file.categories.map(({ slug }: any) => slug)).toEqual(['baking', 'retsepty']);
    expect(find(12)).not.toHaveProperty('category');
  });
});

describe('slugs', () => {
  test('a valid one is assigned before one that has to be converted', async () => {
    const { file, stderr } = await convertItems(
      wxrPost({ 'wp:post_id': '1', 'wp:post_name': 'My_Post' }) +
        wxrPost({ 'wp:post_id': '2', 'wp:post_name': 'my-post', 'wp:status': 'draft' }) +
        wxrPost({ 'wp:post_id': '3', 'wp:post_name': 'my-post' }),
    );
    expectImportable(file);
    expect(file.articles.map(({ slug }: any) => slug)).toEqual(['my-post-2', 'my-post-3', 'my-post']);
    expect(stderr).toContain('the slug "My_Post" becomes "my-post-2"');
  });

  test('one that converts to nothing is derived from the title, or else from the id', async () => {
    expect(await articleOf({ 'wp:post_name': '%f0%9f%98%80', title: 'A title' })).toMatchObject({
      slug: 'a-title',
    });
    const article = await articleOf({ 'wp:post_name': '%f0%9f%98%80', title: '☃☃' });
    expect(article).toMatchObject({ status: 'published', slug: 'post-1' });
  });

  test('WordPress cuts an encoded slug inside a character', async () => {
    const { slug } = await articleOf({ 'wp:post_name': `${'%d0%b0'.repeat(33)}%d` });
    expect(slug).toBe('a'.repeat(33));
  });
});

describe('content', () => {
  test('the block of footnotes shows what is in the post’s field, as notes of Markdown', async () => {
    const notes = JSON.stringify([
      { content: 'First with <em>stress</em>.', id: 'u1' },
      { content: 'Second.', id: 'u2' },
    ]);
    const mark = (id: string, number: number): string =>
      `<sup data-fn="${id}" class="fn"><a href="#${id}" id="${id}-link">${number}</a></sup>`;
    const content = `<!-- wp:paragraph --><p>Rain${mark('u1', 1)} fell${mark('u2', 2)}.</p><!-- /wp:paragraph -->\n<!-- wp:footnotes /-->`;
    const article = await articleOf({ 'content:encoded': content, more: wxrMeta('footnotes', notes) });
    expect(article.content).toBe('Rain[^1] fell[^2].\n\n[^1]: First with *stress*.\n\n[^2]: Second.');
  });

  test('the recording of a podcast is put at the end, once', async () => {
    const address = 'https://blog.example.com/audio/1.mp3';
    const more = wxrMeta('enclosure', `${address}\n5650889\naudio/mpeg\n`);
    expect((await articleOf({ more })).content).toBe(
      `Some text\n\n<audio controls src="${address}"></audio>`,
    );
    const there = `<a href="${address}">Listen</a>`;
    expect((await articleOf({ 'content:encoded': there, more })).content).toBe(`[Listen](${address})`);
  });

  test('code of several lines in the classic editor stays code of several lines', async () => {
    const { content } = await articleOf({ 'content:encoded': '<code>a\nb</code>\n\nAnd <code>c\nd</code>.' });
    expect(content).toBe('```\na\nb\n```\n\nAnd `c`\\\n`d`.');
  });

  test('a reusable block that contains itself or is missing ends', async () => {
    const block = (id: string, content: string): string =>
      wxrPost({ 'wp:post_id': id, 'wp:post_type': 'wp_block', 'content:encoded': content });
    const nest = '<!-- wp:block {"ref":8} /-->'.repeat(1_000);
    const { content } = await articleOf(
      { 'content:encoded': '<!-- wp:block {"ref":7} /--><!-- wp:block {"ref":99} /-->' },
      block('7', `<p>x</p>${nest}`) + block('8', '<p>y</p><!-- wp:block {"ref":7} /-->'),
    );
    expect(content.startsWith('x\n\ny\n\ny')).toBe(true);
    expect(content.length).toBeLessThan(2_000);
  });

  test('a page builder’s shortcodes are removed, and their text stays', async () => {
    const { content, stderr } = await articleOf({
      'content:encoded':
        '[vc_row width="full"][vc_column]Text one[/vc_column][vc_column]Text two[/vc_column][/vc_row]',
    });
    expect(content).toBe('Text one\n\nText two');
    expect(stderr).toContain("its page builder's shortcodes vc_row, vc_column are removed");
    expect(stderr).not.toContain('unknown');
  });

  test('the pages of a post, and what follows a teaser, are paragraphs', async () => {
    const { content } = await articleOf({ 'content:encoded': 'a<!--more Read on-->b<!--nextpage-->c' });
    expect(content).toBe('a\n\nb\n\nc');
  });

  test('the texts in the settings of a dynamic block are reported', async () => {
    const { content, stderr } = await articleOf({
      'content:encoded':
        '<p>x</p><!-- wp:acf/quote {"className":"is big","data":{"quote":"It <b>works</b> well","_quote":"field_1 x"}} /-->',
    });
    expect(content).toBe('x');
    expect(stderr).toContain('its blocks acf/quote are left out');
    expect(stderr).toMatch(/the texts "It works well"$/m);
  });

  test('players and videos become HTML', async () => {
    const { content } = await articleOf({
      'content:encoded':
        '[video mp4="/v.mp4" width="640"][/video]\n\n[audio src="https://x.example/a.mp3"]\n\n[youtube https://youtu.be/q?a=1&b=2]',
    });
    expect(content).toBe(
      '<video controls src="https://blog.example.com/v.mp4"></video>\n\n<audio controls src="https://x.example/a.mp3"></audio>\n\n<https://youtu.be/q?a=1&b=2>',
    );
  });

  test.each([
    ['a title that is HTML', { title: 'A &amp; <em>b</em> &#8211; c' }, { title: 'A & b – c' }],
    ['text that no JSON may hold', { 'content:encoded': 'a\u0000b\u000Bc' }, { content: 'ab c' }],
    [
      'SEO variables that are not known',
      { title: 'T', more: wxrMeta('_yoast_wpseo_title', '%%title%% %%cf_x%%') },
      { title: 'T', seo_title: undefined },
    ],
    [
      'variables of Rank Math',
      { title: 'T', more: wxrMeta('rank_math_title', '%title% %sep% %sitename%') },
      { seo_title: 'T - Blog' },
    ],
    [
      'an edit in the future',
      { 'wp:post_modified_gmt': '2999-01-01 00:00:00' },
      { content_updated_at: undefined },
    ],
    ['publishing in the future', { 'wp:post_date_gmt': '2999-01-01 00:00:00' }, { status: 'draft' }],
    ['no content', { 'content:encoded': ' ' }, { status: 'draft' }],
    ['a long title', { title: 'x'.repeat(400) }, { title: 'x'.repeat(300) }],
  ])('%s', async (_, given, expected) => {
    const article = await articleOf(given);
    for (const [name, value] of Object.entries(expected)) expect(article[name]).toEqual(value);
  });

  test('a post that is too long is left out and reported, with exit code 1', async () => {
    const { code, file, stderr } = await convertItems(
      wxrPost({ title: 'Long', 'content:encoded': 'word '.repeat(190_000) }) +
        wxrPost({ 'wp:post_id': '2', 'wp:post_name': 'other' }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('post "Long": left out: its content is too long');
    expect(file.articles).toHaveLength(1);
  });

  test('two posts with one id: the first wins', async () => {
    const { code, file, stderr } = await convertItems(wxrPost() + wxrPost({ title: 'Second' }));
    expect([code, file.articles.length]).toEqual([1, 1]);
    expect(stderr).toContain('post "Second": left out: another post has the same id');
  });
});

describe('hostile files', () => {
  const lol = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
    '',
  );

  test.each([
    ['no XML', 'plain text', 'not a WordPress export'],
    ['an RSS feed', '<rss version="2.0"><channel><title>x</title></channel></rss>', 'not a WordPress export'],
    ['a file that is cut off', wxr(wxrPost()).slice(0, -40), 'truncated'],
    ['a file that is cut off in a text', wxr(wxrPost()).slice(0, 500), 'XML'],
    ['elements nested without end', `<rss>${'<a>'.repeat(100_000)}`, 'XML'],
    [
      'an entity from a file',
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wxr(wxrPost())}`,
      'External entities',
    ],
    [
      'an entity of great length',
      `<!DOCTYPE r [<!ENTITY x "${'y'.repeat(9_000)}">]>${wxr(`<item><title>${'&x;'.repeat(900)}</title></item>`)}`,
      'limit',
    ],
    ['names of Object.prototype', wxr('<__proto__><item></item></__proto__>'), 'XML'],
  ])('%s is refused with code 2 and an empty stdout', async (_, xml, message) => {
    const { code, stdout, stderr } = await convert('wordpress', folder.write('hostile.xml', xml));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('hostile.xml');
  });

  test('nested entities are not expanded', async () => {
    const doctype = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol}]>`;
    const xml = wxr(
      `<item><title>&l10;</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>draft</wp:status></item>`,
    );
    const { stdout } = await convert(
      'wordpress',
      folder.write('laughs.xml', xml.replace('?>', `?>${doctype}`)),
    );
    expect(stdout.length).toBeLessThan(2_000);
  });

  test('a title cannot send control characters to the terminal', async () => {
    const { stderr } = await convertItems(wxrPost({ title: '\u001B[2J\u202Eevil', 'wp:status': 'private' }));
    // eslint-disable-next-line no-control-regex
    expect(stderr.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F\u202E]/);
  });

  test('a file that is missing or not UTF-8 is refused with exit code 2', async () => {
    const latin = await convert('wordpress', folder.write('latin.xml', Buffer.from([0x3c, 0xe9, 0x3e])));
    expect([latin.code, latin.stdout, latin.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('it is not UTF-8'),
    ]);
    const absent = await convert('wordpress', '/nowhere/export.xml');
    expect([absent.code, absent.stdout, absent.stderr]).toEqual([2, '', expect.stringContaining('ENOENT')]);
  });

  test('a post with endlessly nested elements is left out, and the others are not', async () => {
    const { code, file, stderr } = await convertItems(
      wxrPost({ title: 'Deep', 'content:encoded': '<div>'.repeat(20_000) }) +
        wxrPost({ 'wp:post_id': '2', 'wp:post_name': 'b' }),
    );
    expect([code, file.articles.length]).toEqual([1, 1]);
    expect(stderr).toContain('post "Deep": left out: its content cannot be read');
  });

  test.each([
    ['opening shortcodes', '[caption]'.repeat(60_000)],
    ['brackets', '['.repeat(500_000)],
    ['shortcodes without an end', '[a '.repeat(150_000)],
    ['block comments without an end', '<!-- wp:a {'.repeat(50_000)],
  ])('many %s are read', async (_, content) => {
    const path = folder.write('many.xml', wxr(wxrPost({ 'content:encoded': content })));
    expect((await convert('wordpress', path)).code).toBeLessThan(2);
  });

  test('a large export is converted completely', async () => {
    const text = '<p>All work and no play.</p>\n\n'.repeat(300);
    const items = Array.from({ length: 100 }, (_, at) =>
      wxrPost({ 'wp:post_id': String(at), 'wp:post_name': `p-${at}`, 'content:encoded': text }),
    );
    const { code, file } = await convert('wordpress', folder.write('large.xml', wxr(items.join(''))));
    expect([code, file.articles.length]).toEqual([0, 100]);
  });
});
