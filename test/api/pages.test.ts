import { randomUUID } from 'node:crypto';
import { documentationPaths } from '../../api/pages/documentation.ts';
import { probePaths } from '../../api/pages/health.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

// A new one for each page, because together they would use up one Site's requests.
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const documents = ['/openapi.json', '/v1/openapi.json'];
const pages = [...probePaths, ...documentationPaths];
const ask = (method: string, path: string, key?: string): Promise<Answer> =>
  api.request(method, api.origin + path, key === undefined ? {} : { key });

test('the pages are those of the contract, and the files that the reference loads', () => {
  expect(pages).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/docs', ...documents]));
});

test.each(pages)('%s accepts GET and HEAD without a key', async (path) => {
  const got = await ask('GET', path);
  const head = await ask('HEAD', path);
  expect([got.status, head.status, head.text]).toEqual([200, 200, '']);
  for (const name of ['content-type', 'content-length'])
    expect(head.headers.get(name)).toBe(got.headers.get(name));
  const options = await ask('OPTIONS', path);
  expect([options.status, options.text, options.headers.get('allow')]).toEqual([
    204,
    '',
    'GET, HEAD, OPTIONS',
  ]);
});

/** What strangers and their browsers read below no version: public files, images and previews. */
const publicPaths = ['/rss.xml', '/tag/news/feed.json', '/sitemap-article-1.xml'].map(
  (file) => `/public/site${file}`,
);
const image = `/public/${'a'.repeat(32)}/blog-images/${randomUUID()}.png`;

test('what can be no public image, by its name, is no path', async () => {
  expect((await ask('GET', image.replace('.png', '.bmp'), tenant.secretKey)).status).toBe(404);
});

test.each([...pages, ...publicPaths, image, '/preview/token'])(
  '%s accepts no other method: 401 without a key, like any path, and 405 with one',
  async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await ask(method, path)).json.error.code).toBe('INVALID_API_KEY');
      const answer = await ask(method, path, tenant.secretKey);
      expect([method, answer.status, answer.json.error.code, answer.headers.get('allow')]).toEqual([
        method,
        405,
        'INVALID_REQUEST',
        'GET, HEAD, OPTIONS',
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  },
);

test.each(documents)(
  '%s accepts no query parameter, and a browser on any origin can read the error',
  async (path) => {
    for (const query of ['?foo=1', '?foo', '?format=yaml']) {
      const answer = await ask('GET', path + query);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.json.error.message).toMatch(/^fo(o|rmat): is not a query parameter/);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect((await ask('HEAD', path + query)).status).toBe(400);
    }
    expect((await ask('GET', `${path}?`)).status).toBe(200);
  },
);

test.each(documents)('OPTIONS %s allows every origin to read it', async (path) => {
  const { headers } = await ask('OPTIONS', path);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
});

test('a probe may have a query, to bypass caches', async () => {
  expect((await ask('GET', '/healthz?now=1')).status).toBe(200);
});

test.each(['/openapi.json/', '/v1/OpenAPI.json', '/Docs', '/docs/', '/healthz/', '/v1/healthz', '/v1/docs'])(
  '%s is none of them',
  async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect((await ask(method, path, tenant.secretKey)).status).toBe(404);
  },
);
