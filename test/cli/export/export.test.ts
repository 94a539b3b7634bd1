import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scope } from '../../../domain/access/scopes.ts';
import { useApi } from '../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant, buildTerm } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { blueprint } from '../../support/home.ts';
import { flat } from '../../support/images.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';
import { endExports, newTarget, runExport } from './exporter.ts';

const api = await useApi();
let tenant: Tenant;
let baseUrl: string;

beforeAll(async () => {
  baseUrl = `${api.origin}/v1`;
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endExports());

const send = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};

const upload = async (body: object = {}): Promise<{ id: string; url: string; bytes: Buffer }> => {
  const bytes = await flat(9, 7).png().toBuffer();
  const uploadId = await uploadBytes(api, tenant.secretKey, bytes, { content_type: 'image/png' });
  return { ...(await registerUpload(api, tenant.secretKey, uploadId, body)).data, bytes };
};

const filesBeside = (path: string): string[] => readdirSync(dirname(path));

test('the file has all published and draft articles with the authors, categories and tags they use, and nothing else', async () => {
  const { secretKey: key } = tenant;
  const [author, category, first, second] = [
    await buildTerm(api, key, 'authors', { name: 'Änn', slug: 'other', bio: 'Bakes.' }),
    await buildTerm(api, key, 'categories', { name: 'Ovens', slug: 'ovens' }),
    await buildTerm(api, key, 'tags', { name: 'Z', slug: 'z' }),
    await buildTerm(api, key, 'tags', { name: 'A', slug: 'a' }),
  ];
  for (const kind of ['authors', 'categories', 'tags'] as const) await buildTerm(api, key, kind);
  const { url } = await upload({ alt_text: 'A "fire"' });
  const howto = (await api.request('GET', '/content-types', { key })).data.items.find(
    (each: any) => each.key === 'how-to',
  );
  const article = await buildArticle(api, key, {
    external_id: 'b',
    title: 'Öfen',
    slug: 'oefen',
    content: 'Text\r\n\u2028"\\',
    excerpt: '',
    seo_title: 'SEO',
    seo_description: 'Described',
    seo_keywords: ['left out'],
    featured_image_url: url,
    author_id: author.id,
    category_id: category.id,
    tag_ids: [first.id, second.id],
    format_id: howto.id,
    faqs: [{ question: 'Why?', answer: 'So.' }],
    key_takeaways: ['one'],
    howto_steps: [{ name: 'n', text: 't', image_url: null }],
    comparison: { title: null, columns: ['a'], rows: [{ label: 'b', values: ['c'] }] },
  });
  await send('POST', `/articles/${article.id}/publish`, {
    published_at: '2020-01-02T03:04:05Z',
    content_updated_at: '2021-01-02T03:04:05.6Z',
  });
  await buildArticle(api, key, { external_id: 'a', title: 'Draft', slug: null });
  const scheduled = await buildArticle(api, key, { title: 'Later', content: 'x' });
  await send('POST', `/articles/${scheduled.id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });

  const target = newTarget();
  const { code, report, err } = await runExport(baseUrl, key, target);
  const images = { written: 0, failed: 0 };
  expect([code, report]).toEqual([0, { articles: 2, authors: 1, categories: 1, tags: 2, images }]);
  expect(err).toContain('warning: articles with the status scheduled are left out: 1\n');
  const { source, ...file } = JSON.parse(target.text() ?? '');
  expect(source).toEqual({ name: expect.any(String), url: expect.stringMatching(/^https:\/\/blog/) });
  expect(file).toEqual({
    format: 'service-import',
    version: 1,
    authors: [{ ref: 'Änn', name: 'Änn', bio: 'Bakes.', is_ai_generated: false }],
    categories: [{ slug: 'ovens', name: 'Ovens' }],
    tags: [
      { slug: 'a', name: 'A' },
      { slug: 'z', name: 'Z' },
    ],
    articles: [
      { external_id: 'a', status: 'draft', title: 'Draft' },
      {
        external_id: 'b',
        status: 'published',
        title: 'Öfen',
        slug: 'oefen',
        content: 'Text\r\n\u2028"\\',
        excerpt: '',
        seo_title: 'SEO',
        seo_description: 'Described',
        featured_image: { url, alt: 'A "fire"' },
        author: 'Änn',
        category: 'ovens',
        tags: ['a', 'z'],
        format: 'how-to',
        published_at: '2020-01-02T03:04:05.000Z',
        content_updated_at: '2021-01-02T03:04:05.600Z',
        faqs: [{ question: 'Why?', answer: 'So.' }],
        key_takeaways: ['one'],
        howto_steps: [{ name: 'n', text: 't', image_url: null }],
        comparison: { title: null, columns: ['a'], rows: [{ label: 'b', values: ['c'] }] },
      },
    ],
  });
  expect(filesBeside(target.out)).toEqual(['site.json']);
  expect(statSync(target.out).mode & 0o777).toBe(0o600);
});

test('a second export of the same Site gives the same bytes', async () => {
  for (let count = 0; count < 3; count += 1) await buildPublished(api, tenant.secretKey);
  const [one, two] = [newTarget(), newTarget()];
  await runExport(baseUrl, tenant.secretKey, one);
  await runExport(baseUrl, tenant.secretKey, two);
  expect(two.text()).toBe(one.text());
  expect(JSON.parse(one.text() ?? '').articles).toHaveLength(3);
});

test('an empty Site gives an empty file', async () => {
  const target = newTarget();
  const { code, report } = await runExport(baseUrl, tenant.secretKey, target);
  expect([code, report?.articles]).toEqual([0, 0]);
  expect(JSON.parse(target.text() ?? '')).toMatchObject({
    authors: [],
    categories: [],
    tags: [],
    articles: [],
  });
});

test('an external id that is null, empty or repeated becomes the article’s id; the oldest keeps it', async () => {
  const { secretKey: key } = tenant;
  const oldest = await buildArticle(api, key, { external_id: 'twice' });
  const repeated = await buildArticle(api, key, { external_id: 'twice' });
  const none = await buildArticle(api, key);
  const empty = await buildArticle(api, key, { external_id: '' });
  // Its external id is the id that another article has to take.
  const inTheWay = await buildArticle(api, key, { external_id: none.id });
  const target = newTarget();
  expect((await runExport(baseUrl, key, target)).code).toBe(0);
  const ids = JSON.parse(target.text() ?? '').articles.map((each: any) => each.external_id);
  expect(oldest.external_id).toBe('twice');
  expect(ids).toEqual(['twice', repeated.id, none.id, empty.id, inTheWay.id].sort());
});

test('a draft that was published before has no times', async () => {
  const { id } = await buildPublished(api, tenant.secretKey, { external_id: 'once' });
  await send('PATCH', `/articles/${id}`, { content: 'Changed.' });
  await send('POST', `/articles/${id}/unpublish`);
  const target = newTarget();
  await runExport(baseUrl, tenant.secretKey, target);
  const [entry] = JSON.parse(target.text() ?? '').articles;
  expect(entry).toMatchObject({ status: 'draft', content: 'Changed.' });
  expect(entry).not.toHaveProperty('published_at');
  expect(entry).not.toHaveProperty('content_updated_at');
});

test('a format of the Site is left out with a warning, also if it replaces one of the platform', async () => {
  const { secretKey: key } = tenant;
  const before = (await api.request('GET', '/content-types', { key })).data.items;
  const platform = before.find((each: any) => each.key === 'how-to');
  const own = await send('POST', '/content-types', { name: 'Own', key: 'how-to', blueprint });
  await buildArticle(api, key, { external_id: 'own', format_id: own.id });
  await buildArticle(api, key, { external_id: 'platform', format_id: platform.id });
  const target = newTarget();
  const { code, err } = await runExport(baseUrl, key, target);
  expect(code).toBe(0);
  expect(err).toContain('the format how-to of this Site is left out of 1 articles');
  const formats = JSON.parse(target.text() ?? '').articles.map((each: any) => [
    each.external_id,
    each.format,
  ]);
  expect(formats).toEqual([
    ['own', undefined],
    ['platform', 'how-to'],
  ]);
});

test('authors with the same name are one author, with the details of the oldest', async () => {
  const { secretKey: key } = tenant;
  const oldest = await buildTerm(api, key, 'authors', { name: 'Ann', slug: 'b', bio: 'First.' });
  const other = await buildTerm(api, key, 'authors', { name: 'Ann', slug: 'a', bio: 'Second.' });
  for (const { id } of [oldest, other]) await buildArticle(api, key, { author_id: id });
  const target = newTarget();
  const { report, err } = await runExport(baseUrl, key, target);
  const { authors, articles } = JSON.parse(target.text() ?? '');
  expect([report?.authors, authors]).toEqual([1, [expect.objectContaining({ name: 'Ann', bio: 'First.' })]]);
  expect(articles.map((each: any) => each.author)).toEqual(['Ann', 'Ann']);
  expect(err).toContain('authors with the name "Ann" are one author');
});

test('--media saves each image of the library that is used once, and URLs stay as they are', async () => {
  const { secretKey: key } = tenant;
  const [content, featured, avatar] = [await upload(), await upload(), await upload()];
  await upload();
  const author = await buildTerm(api, key, 'authors', { avatar_url: avatar.url });
  const text = `![a](${content.url}) <img src="${content.url}"> ![b](https://other.example/b.png)`;
  await buildArticle(api, key, { author_id: author.id, content: text, featured_image_url: featured.url });
  const target = newTarget();
  const { code, report, err } = await runExport(baseUrl, key, target, '--media', target.media);
  expect([code, report?.images]).toEqual([0, { written: 3, failed: 0 }]);
  expect(err).toContain('images that are not in the library of the Site are not saved: 1');
  const saved = [content, featured, avatar].map(({ url }) => url.split('/').at(-1) ?? '');
  expect(readdirSync(target.media).sort()).toEqual(saved.sort());
  expect(readFileSync(join(target.media, saved[0] ?? ''))).toEqual(content.bytes);
  const [entry] = JSON.parse(target.text() ?? '').articles;
  expect(entry).toMatchObject({ content: text, featured_image: { url: featured.url } });
});

test('an image that cannot be fetched is named and counted, and the exit code is 1; the file is complete', async () => {
  const { secretKey: key } = tenant;
  const asset = await upload();
  const { rows } = await api.db.pool.query('select object_key from media_assets where id = $1', [asset.id]);
  await api.db.pool.query('update media_assets set object_key = $2 where id = $1', [
    asset.id,
    rows[0].object_key.replace(/[0-9a-f]{8}(?=\.png$)/, '00000000'),
  ]);
  const { url } = (await api.request('GET', `/media/${asset.id}`, { key })).data;
  await buildArticle(api, key, { featured_image_url: url });
  const target = newTarget();
  const { code, report, err } = await runExport(baseUrl, key, target, '--media', target.media);
  expect([code, report?.images]).toEqual([1, { written: 0, failed: 1 }]);
  expect(err).toContain(`the image ${url} could not be fetched`);
  expect(JSON.parse(target.text() ?? '').articles).toHaveLength(1);
});

describe('exit code 2, and no file is written', () => {
  const readScopes: Scope[] = ['articles:read', 'authors:read', 'taxonomy:read', 'media:read', 'meta:read'];

  test('a key with the scopes for reading alone is enough', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: readScopes });
    await buildPublished(api, tenant.secretKey);
    expect((await runExport(baseUrl, secret, newTarget())).code).toBe(0);
  });

  test('a key that lacks a scope for reading, or is publishable, revoked or malformed', async () => {
    const { siteId, memberId, publishableKey } = tenant;
    await buildArticle(api, tenant.secretKey);
    const revoked = await buildKey(api.db, siteId, memberId);
    await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id]);
    const keys: [string, string][] = [
      [publishableKey, 'publishable'],
      [revoked.secret, 'API_KEY_REVOKED'],
      ['nonsense', 'must be an API key'],
    ];
    for (const scope of readScopes) {
      const scopes = readScopes.filter((each) => each !== scope);
      keys.push([
        (await buildKey(api.db, siteId, memberId, { scopes })).secret,
        `must have the scope ${scope}`,
      ]);
    }
    for (const [key, message] of keys) {
      const target = newTarget();
      const { code, out, err } = await runExport(baseUrl, key, target, '--media', target.media);
      expect([message, code, out]).toEqual([message, 2, '']);
      expect(err).toContain(message);
      if (key.startsWith('svc_')) expect(err).not.toContain(key);
      expect(filesBeside(target.out)).toEqual([]);
    }
  });

  test('wrong usage', async () => {
    const { secretKey: key } = tenant;
    const target = newTarget();
    const taken = `${target.out}.taken`;
    writeFileSync(taken, 'mine');
    const cases: [string, string[], string][] = [
      ['http://127.0.0.1:1/v1', [], 'cannot be reached'],
      [api.origin, [], 'is not the API of Presswork'],
      [baseUrl, ['--out', dirname(target.out)], 'is a folder'],
      [baseUrl, ['--out', '/nowhere/at/all.json'], 'cannot be written (ENOENT)'],
      [baseUrl, ['--out', ''], '--out'],
      [baseUrl, ['--media', taken], 'cannot be made a folder'],
      [baseUrl, ['--images'], '--images'],
    ];
    for (const [url, more, message] of cases) {
      const { code, out, err } = await runExport(url, key, target, ...more);
      expect([message, code, out]).toEqual([message, 2, '']);
      expect(err).toContain(message);
      expect(filesBeside(target.out)).toEqual(['site.json.taken']);
    }
    expect(readFileSync(taken, 'utf8')).toBe('mine');
  });

  test('a file in the place of the progress is not touched', async () => {
    const target = newTarget();
    writeFileSync(`${target.out}.progress`, 'something else');
    const { code, err } = await runExport(baseUrl, tenant.secretKey, target);
    expect([code, existsSync(target.out)]).toEqual([2, false]);
    expect(err).toContain('is not the progress of an export');
    expect(readFileSync(`${target.out}.progress`, 'utf8')).toBe('something else');
  });
});
