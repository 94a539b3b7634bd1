import { articleSlugOf, publicUrl } from '../../../domain/purge/public-urls.ts';

const blog = (article: string, domain = 'blog.example.com') => ({
  domain,
  url_paths: { article, category: '/category/{slug}', tag: '/tag/{slug}', author: '/author/{slug}' },
});

test('each kind of page has its address', () => {
  const site = blog('/blog/{slug}.html');
  expect(publicUrl(site, 'article', 'tea')).toBe('https://blog.example.com/blog/tea.html');
  expect(publicUrl(site, 'tag', 'tea')).toBe('https://blog.example.com/tag/tea');
  expect(publicUrl(blog('/über/{slug}'), 'article', 'tea')).toBe('https://blog.example.com/%C3%BCber/tea');
  expect(publicUrl(blog('/%C3%BCber/{slug}'), 'article', 'tea')).toBe(
    'https://blog.example.com/%C3%BCber/tea',
  );
  expect(publicUrl(blog('/{slug}', 'müller.example'), 'article', 'tea')).toBe(
    'https://xn--mller-kva.example/tea',
  );
});

test.each([
  '/{slug}',
  '/blog/{slug}',
  '/blog/{slug}/',
  '/{slug}.html',
  '/a-{slug}-z',
  '/über/{slug}',
  '/%C3%BCber/{slug}',
])('the slug is found in the address of an article under %s', (path) => {
  for (const domain of ['blog.example.com', 'BLOG.example.com', 'localhost:8080']) {
    const site = blog(path, domain);
    const url = publicUrl(site, 'article', 'green-tea-2');
    for (const same of [url, `${url}?utm_source=x`, `${url}#top`, `${url}/`.replace(/\/\/$/, '/')])
      expect(articleSlugOf(site, same)).toBe('green-tea-2');
  }
});

test.each([
  'https://blog.example.com/',
  'https://blog.example.com/blog/',
  'https://blog.example.com/blog',
  'https://blog.example.com/blog/a/b',
  'https://blog.example.com/blog/Tea',
  'https://blog.example.com/other/tea',
  'https://example.com/blog/tea',
  'https://blog.example.com:444/blog/tea',
  'ftp://blog.example.com/blog/tea',
  'no address',
  '',
])('%s is the address of no article', (url) => {
  expect(articleSlugOf(blog('/blog/{slug}'), url)).toBeNull();
});
