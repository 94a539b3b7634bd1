import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCachePurger } from '../../../adapters/http/cache-purger.ts';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import type { GuardedClient } from '../../../adapters/http/guarded-client.ts';
import { startApi } from '../../support/api.ts';
import type { Answer, TestApi } from '../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';

let cache: Server;
let http: GuardedClient;
let api: TestApi;
let tenant: Tenant;
let purged: string[][] = [];
let behaviour: 'answers' | 'fails' | 'hangs' = 'answers';

beforeAll(async () => {
  cache = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { urls } = JSON.parse(Buffer.concat(chunks).toString()) as { urls: string[] };
      purged.push(urls.map((url) => new URL(url).pathname));
      if (behaviour === 'hangs') return;
      response.statusCode = behaviour === 'answers' ? 204 : 500;
      response.end();
    });
  });
  await new Promise<void>((resolve) => cache.listen(0, '127.0.0.1', resolve));
  http = createGuardedClient();
  const url = `http://127.0.0.1:${(cache.address() as AddressInfo).port}/purge`;
  api = await startApi({ purger: createCachePurger(http, url) });
  tenant = await buildTenant(api.db);
});
beforeEach(() => {
  purged = [];
  behaviour = 'answers';
});
afterAll(async () => {
  await api.close();
  await http.close();
  cache.closeAllConnections();
  await new Promise((resolve) => cache.close(resolve));
});

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body });
const owed = async (): Promise<number> => (await api.db.pool.query('select from cache_purges')).rowCount ?? 0;

test('each change of a public page is purged within the request, with the old and the new address', async () => {
  const { id, slug } = await buildPublished(api, tenant.secretKey);
  await call('PATCH', `/articles/${id}`, { slug: 'moved' });
  await call('POST', `/articles/${id}/unpublish`);
  expect(purged).toEqual([[`/${slug}`], [`/${slug}`, '/moved'], ['/moved']]);
  expect(await owed()).toBe(0);
});

test('changes of drafts purge nothing', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Private' });
  await call('PATCH', `/articles/${id}`, { title: 'Still private' });
  await call('DELETE', `/articles/${id}`);
  expect(purged).toEqual([]);
});

test.each(['fails', 'hangs'] as const)(
  'if the cache %s, the request succeeds and the purge stays pending',
  async (how) => {
    behaviour = how;
    const { id } = await buildPublished(api, tenant.secretKey);
    expect((await call('GET', `/articles/${id}`)).data.status).toBe('published');
    expect(await owed()).toBe(1);
    const { rows } = await api.db.pool.query(
      "select kind, available_at > now() as later from outbox where kind = 'cache-purge'",
    );
    expect(rows).toEqual([{ kind: 'cache-purge', later: true }]);
    await api.db.pool.query('delete from cache_purges');
    await api.db.pool.query('delete from outbox');
  },
);
