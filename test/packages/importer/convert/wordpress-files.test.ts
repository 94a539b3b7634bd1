import { convert, exportsFolder, wxr, wxrMeta, wxrPost } from './converter.ts';

const folder = exportsFolder();
afterAll(folder.remove);

test('scripts without Latin letters keep their posts, dates, categories and tags', async () => {
  const category = '%e3%83%8b%e3%83%a5%e3%83%bc%e3%82%b9';
  const channel = `<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>${category}</wp:category_nicename><wp:cat_name>ニュース</wp:cat_name></wp:category>`;
  const more =
    `<category domain="category" nicename="${category}">ニュース</category>` +
    '<category domain="post_tag" nicename="%e5%8c%97%e4%ba%ac">北京</category>';
  const posts = ['東京の天気', '한국어', 'שלום', 'สวัสดี', '新年2026', '新春2026'].map((title, index) =>
    wxrPost({
      title,
      'wp:post_id': String(index + 1),
      'wp:post_name': encodeURIComponent(title).toLowerCase(),
      more,
    }),
  );
  const { file } = await convert('wordpress', folder.write('scripts.xml', wxr(posts.join(''), channel)));
  expect(file.articles).toHaveLength(posts.length);
  for (const [index, article] of file.articles.entries())
    expect(article).toMatchObject({
      status: 'published',
      slug: `post-${index + 1}`,
      published_at: '2020-01-01T10:00:00.000Z',
      category: 'category-5',
      tags: [file.tags[0].slug],
    });
  expect(file.categories).toEqual([{ slug: 'category-5', name: 'ニュース' }]);
  expect(file.tags).toEqual([{ slug: expect.stringMatching(/^tag-[0-9a-f]{8}$/), name: '北京' }]);
});

test('the files of a divided export are converted as one', async () => {
  const image = `<item><wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>https://blog.example.com/i.png</wp:attachment_url></item>`;
  const paths = [
    folder.write('one.xml', wxr(wxrPost({ more: wxrMeta('_thumbnail_id', '9') }))),
    folder.write('two.xml', wxr(wxrPost({ 'wp:post_id': '2', 'wp:post_name': 'second' }) + image)),
  ];
  const { code, stderr, file } = await convert('wordpress', ...paths);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  expect(file.articles.map(({ slug }: any) => slug)).toEqual(['a-post', 'second']);
  expect(file.articles[0].featured_image).toEqual({ url: 'https://blog.example.com/i.png' });
});

test('a post that readers could not see as before is named, and an error with --strict', async () => {
  const deep = wxrPost({ 'content:encoded': `${'<blockquote>'.repeat(150)}deep` });
  const path = folder.write('deep.xml', wxr(deep));
  const { code, stderr, file } = await convert('wordpress', path);
  expect([code, file.articles.length]).toEqual([0, 1]);
  expect(stderr).toContain('post "A post": its content is nested too deeply, and cannot be shown');
  expect(stderr).toContain('Not the same text as before: 1');
  expect((await convert('wordpress', path, '--strict')).code).toBe(1);
});

test.each([
  ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), 'it is compressed'],
  ['in another encoding', Buffer.from('caf\xe9', 'latin1'), 'it is not UTF-8'],
])('a file that is %s is refused by name', async (_, bytes, why) => {
  const path = folder.write('odd.xml', bytes);
  const { code, stderr } = await convert('wordpress', path);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${path}: cannot be read (${why}`)]);
});
