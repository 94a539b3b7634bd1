import { useApi } from '../../../support/api.ts';
import { buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { flat, noise } from '../../../support/images.ts';
import { closeReceivers, httpReceiver } from '../../../support/receivers.ts';
import type { Receiver } from '../../../support/receivers.ts';
import { closeProxies, startApiProxy } from './api-proxy.ts';
import { buildFile, endImports, entry, importFile, runImport } from './importer.ts';

const api = await useApi();
let tenant: Tenant;
let blog: Receiver;
const tries = new Map<string, number>();

beforeAll(async () => {
  const sample = flat(9, 7);
  const images: Record<string, Buffer> = {
    '/a.png': await sample.clone().png().toBuffer(),
    '/a.jpg': await sample.clone().jpeg().toBuffer(),
    '/a.gif': await sample.clone().gif().toBuffer(),
    '/a.webp': await sample.clone().webp().toBuffer(),
    '/a.avif': await sample.clone().avif().toBuffer(),
    '/cut.png': (await noise(64, 64).png().toBuffer()).subarray(0, 2_000),
    '/text.png': Buffer.from('no image'),
    '/drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  };
  blog = await httpReceiver(({ path }, response) => {
    const [name = ''] = path.split('?');
    const seen = (tries.get(name) ?? 0) + 1;
    tries.set(name, seen);
    const redirect: Record<string, [number, string]> = {
      '/moved.png': [301, '/moved-again.png'],
      '/moved-again.png': [302, '/see.png'],
      '/see.png': [303, '/a.png'],
      '/round.png': [302, '/round.png'],
    };
    if (redirect[name]) return response.writeHead(redirect[name][0], { location: redirect[name][1] }).end();
    if (name === '/large.png') {
      response.writeHead(200);
      const send = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 1)));
        if (!response.destroyed) response.once('drain', send);
      };
      return send();
    }
    if (name === '/busy.png' && seen < 2) return response.writeHead(503, { 'retry-after': '1' }).end();
    const image =
      images[name] ?? (/^\/(?:busy|image\d|日)/.test(decodeURI(name)) ? images['/a.png'] : undefined);
    return response.writeHead(image ? 200 : 404, { 'content-type': 'text/plain' }).end(image);
  });
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  tries.clear();
  blog.seen.length = 0;
});
afterEach(async () => {
  await endImports();
  await closeProxies();
});
afterAll(async () => {
  await closeReceivers();
});

const at = (name: string): string => `${blog.url}/${name}`;

const run = (parts: object, ...more: string[]) =>
  runImport([
    buildFile(importFile(parts)),
    '--base-url',
    `${api.origin}/v1`,
    '--key',
    tenant.secretKey,
    ...more,
  ]);

const library = async (): Promise<any[]> =>
  (await api.request('GET', '/media?limit=100', { key: tenant.secretKey })).data.items;

const article = async (externalId: string): Promise<any> => {
  const query = `external_id=${externalId}&fields=content,featured_image_url,howto_steps`;
  return (await api.request('GET', `/articles?${query}`, { key: tenant.secretKey })).data.items[0];
};

const PRIVATE = '--allow-private-images';

test('every reference to an image gets the library’s URL, and each URL is copied once', async () => {
  const content = (name: (image: string) => string): string =>
    `![1](${name('image1.png')} "t") ![2](<${name('image2.png')}>) ![r] <img src='${name('image3.png')}'>
\`![c](${at('code.png')})\` ![1 again](${name('image1.png')})

    ![c](${at('code.png')})

[r]: ${name('image4.png')}
`;
  const articles = [
    entry({
      external_id: 'a',
      content: content(at),
      featured_image: { url: at('image5.png'), alt: 'What is seen' },
      howto_steps: [
        { name: 'n', text: `![t](${at('text-of-step.png')})`, image_url: at('image1.png#part') },
        { name: 'n', text: 't', image_url: null },
      ],
      author: 'ann',
    }),
    entry({ content: `![1](${at('image1.png')})`, author: 'ann' }),
  ];
  const authors = [{ ref: 'ann', name: 'Ann', avatar_url: at('image6.png') }];
  const { code, report } = await run({ articles, authors }, PRIVATE, '--concurrency', '3');
  expect(code).toBe(0);
  expect(report.images).toEqual({ copied: 6, reused: 0, failed: [] });
  expect(blog.seen.map(({ path }) => path).toSorted()).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `/image${n}.png`),
  );

  const assets = await library();
  const urlOf = (image: string): string => {
    const name = image.replace('.png', '');
    return assets.find(({ file_name: file }) => file.startsWith(`${name}-`)).url;
  };
  expect(assets).toHaveLength(6);
  expect(await article('a')).toMatchObject({
    content: content(urlOf),
    featured_image_url: urlOf('image5.png'),
    howto_steps: [
      { image_url: urlOf('image1.png'), text: expect.stringContaining(blog.url) },
      { image_url: null },
    ],
  });
  const facts = assets.map(({ file_name: file, bucket, alt_text: alt }) => [file.slice(0, 6), bucket, alt]);
  expect(facts.toSorted()).toEqual([
    ...[1, 2, 3, 4].map((n) => [`image${n}`, 'blog-images', null]),
    ['image5', 'blog-images', 'What is seen'],
    ['image6', 'author-avatars', null],
  ]);
  const author = await api.request('GET', '/authors', { key: tenant.secretKey });
  expect(author.data.items[0].avatar_url).toBe(urlOf('image6.png'));
});

test('all five types are copied, whatever the declared type, through redirects, and after a 503', async () => {
  const names = ['a.png', 'a.jpg', 'a.gif', 'a.webp', 'a.avif', 'moved.png', 'busy.png', '日 本.png?size=1'];
  const content = names.map((name) => `![a](<${at(name)}>)`).join(' ');
  const { code, report } = await run({ articles: [entry({ content })] }, PRIVATE);
  expect([code, report.images]).toEqual([0, { copied: 8, reused: 0, failed: [] }]);
  const types = (await library()).map(({ mime_type: type }) => type);
  const five = ['avif', 'gif', 'jpeg', 'png', 'png', 'png', 'png', 'webp'];
  expect(types.toSorted()).toEqual(five.map((type) => `image/${type}`));
});

test('relative URLs are resolved against the source', async () => {
  const source = { name: 'Old', url: `${blog.url}/posts/` };
  const content = '![a](/image1.png) ![b](../image2.png) <img src="none.png">';
  const { report } = await run({ source, articles: [entry({ external_id: 'a', content })] }, PRIVATE);
  expect(report.images).toMatchObject({ copied: 2, failed: [{ url: 'none.png' }] });
  expect((await article('a')).content).toMatch(
    /^!\[a\]\(http.*\.png\) !\[b\]\(http.*\.png\) <img src="none.png">$/,
  );
});

test('a source that is no URL keeps no absolute URL from being copied', async () => {
  for (const url of ['old.example', '']) {
    const content = `![a](${at('image1.png')}) ![b](relative.png)`;
    const articles = [entry({ external_id: `source ${url}`, content })];
    const { report } = await run({ source: { name: 'Old', url }, articles }, PRIVATE);
    expect(report.images.failed).toMatchObject([{ url: 'relative.png' }]);
  }
});

test('an image that cannot be fetched keeps its URL and is listed once; its entry is imported', async () => {
  const wrong: Record<string, RegExp> = {
    [at('missing.png')]: /status 404/,
    [at('text.png')]: /is not a WebP, PNG, JPEG, GIF or AVIF image/,
    [at('drawing.svg')]: /is not a WebP/,
    [at('cut.png')]: /ends too early/,
    [at('large.png')]: /larger than 10 MB/,
    [at('round.png')]: /redirect/,
    'http://127.0.0.1:1/refused.png': /connection/,
    'ftp://127.0.0.1/a.png': /must be an http or https URL/,
    'file:///etc/passwd': /must be an http or https URL/,
    'data:image/png;base64,AAAA': /must be an http or https URL/,
    'images/relative.png': /needs source\.url/,
    'http://user:pass@127.0.0.1/a.png': /user name/,
  };
  const content = Object.keys(wrong)
    .map((url) => `![a](${url})`)
    .join('\n');
  const articles = [entry({ external_id: 'a', content: `${content} ${content}` })];
  const { code, report } = await run({ source: {}, articles }, PRIVATE, '--concurrency', '9');
  expect(code).toBe(0);
  expect(report).toMatchObject({ created: 1, images: { copied: 0 } });
  expect(report.images.failed.map(({ url }) => url)).toEqual(Object.keys(wrong));
  for (const { url, message } of report.images.failed) expect(message).toMatch(wrong[url] as RegExp);
  expect((await article('a')).content).toBe(articles[0]?.['content']);
  expect(await library()).toEqual([]);
});

test('images are fetched from private addresses only with --allow-private-images', async () => {
  const content = `![a](${at('image1.png')}) ![b](http://localhost:${blog.port}/image1.png) ![c](http://[::ffff:7f00:1]:${blog.port}/image1.png)`;
  const { code, report } = await run({ articles: [entry({ external_id: 'a', content })] });
  expect(code).toBe(0);
  expect(report.images.failed).toHaveLength(3);
  for (const { message } of report.images.failed) expect(message).toContain('--allow-private-images');
  expect(blog.seen).toHaveLength(0);
});

test('an image of the library is reused, also by another file', async () => {
  await run({ articles: [entry({ content: `![a](${at('image1.png')})` })] }, PRIVATE);
  const [{ url }] = await library();
  const content = `![a](${at('image1.png')}) ![b](${url})`;
  const { report } = await run({ articles: [entry({ external_id: 'b', content })] }, PRIVATE);
  expect(report.images).toEqual({ copied: 0, reused: 2, failed: [] });
  expect((await article('b')).content).toBe(`![a](${url}) ![b](${url})`);
  expect(await library()).toHaveLength(1);
});

test('an image that was deleted from the library is copied again', async () => {
  await run({ articles: [entry({ content: `![a](${at('image1.png')})` })] }, PRIVATE);
  const [{ id }] = await library();
  await api.request('DELETE', `/media/${id}`, { key: tenant.secretKey });
  const { report } = await run({ articles: [entry({ content: `![a](${at('image1.png')})` })] }, PRIVATE);
  expect(report.images.copied).toBe(1);
  expect(await library()).toHaveLength(1);
});

test('an image whose reservation has expired is uploaded again', async () => {
  let refused = 0;
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    const expires = method === 'POST' && path === '/v1/media' && body !== '[]' && refused === 0;
    if (!expires) return 'pass';
    refused += 1;
    const error = { code: 'NOT_FOUND', message: 'This upload does not exist, or it has expired.' };
    return { status: 404, body: JSON.stringify({ error, request_id: 'r' }) };
  });
  const file = buildFile(importFile({ articles: [entry({ content: `![1](${at('image1.png')})` })] }));
  const { code, report } = await runImport([
    file,
    '--base-url',
    proxy.baseUrl,
    '--key',
    tenant.secretKey,
    PRIVATE,
  ]);
  expect(code).toBe(0);
  expect(report.images).toEqual({ copied: 1, reused: 0, failed: [] });
  expect(refused).toBe(1);
  expect(await library()).toHaveLength(1);
});

test('the picture of an existing author is not copied, and the author stays unchanged', async () => {
  const ann = await buildTerm(api, tenant.secretKey, 'authors', { name: 'Ann', bio: 'Mine.' });
  const authors = [{ ref: 'x', name: 'Ann', bio: 'Other.', avatar_url: at('image1.png') }];
  const { report } = await run({ authors, articles: [entry({ author: 'x' })] }, PRIVATE);
  expect(report).toMatchObject({ created: 1, images: { copied: 0 } });
  const { data } = await api.request('GET', '/authors', { key: tenant.secretKey });
  expect(data.items).toMatchObject([{ id: ann.id, bio: 'Mine.', avatar_url: null, article_count: 1 }]);
});
