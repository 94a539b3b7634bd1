import { randomUUID } from 'node:crypto';
import { operations } from '../../api/operations.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

const clock = new TestClock();

const api = await useApi({ clock });
const tenant = await buildTenant(api.db);
// Each test has its own minute, because rate limits are not under test here.
beforeEach(() => clock.advance(60_000));

const concrete = (path: string): string => path.replace(/:\w+/g, () => randomUUID());
const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => ({ path, all }));
const isOpen = ({ all }: (typeof paths)[number]) => all.some(({ access }) => access.publishable);

const exposed = (answer: Answer) =>
  (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/\s*,\s*/);

const expectOpen = (answer: Answer) => {
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(exposed(answer)).toEqual(
    expect.arrayContaining([
      'request-id',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'etag',
      'retry-after',
    ]),
  );
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
};

const preflight = (path: string) =>
  api.request('OPTIONS', path, {
    headers: {
      origin: 'https://blog.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });

test.each(paths.filter(isOpen).map(({ path }) => path))(
  'OPTIONS %s allows every origin, without a key',
  async (path) => {
    const answer = await preflight(concrete(path));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectOpen(answer);
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain('GET');
    expect(answer.headers.get('access-control-allow-methods')).not.toMatch(/POST|PATCH|DELETE/);
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(answer.headers.get('allow')).toContain('OPTIONS');
  },
);

test.each(paths.filter((path) => !isOpen(path)).map(({ path }) => path))(
  'OPTIONS %s allows no other origin',
  async (path) => {
    const answer = await preflight(concrete(path));
    expect(answer.status).toBe(204);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('allow')).toContain('OPTIONS');
  },
);

test('each operation, and each method that a path does not accept, is open to other origins only if a publishable key may read', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const wrong: string[] = [];
  for (const { path, all } of paths) {
    for (const method of methods) {
      const { headers } = await api.request(method, concrete(path), {
        headers: { origin: 'https://blog.example' },
      });
      const read = method === 'HEAD' ? 'GET' : method;
      const open = all.some((operation) => operation.method === read && operation.access.publishable);
      const said = [...headers.keys()].filter((name) => name.startsWith('access-control')).toSorted();
      const right = open ? ['access-control-allow-origin', 'access-control-expose-headers'] : [];
      if (String(said) !== String(right)) wrong.push(`${method} ${path}: ${String(said)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each(['/healthz', '/readyz', '/docs', '/device'])('%s is open to no other origin', async (path) => {
  const headers = { origin: 'https://blog.example' };
  const answer = await api.request('GET', `${api.origin}${path}`, { headers });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('OPTIONS has the request id and the rate limit like any answer', async () => {
  const answer = await preflight('/articles');
  for (const name of ['request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    expect(answer.headers.get(name)).not.toBeNull();
});

test('OPTIONS of an unknown path is 404', async () => {
  expect((await preflight('/nothing-here')).status).toBe(404);
});

test('GET and HEAD are open on success and on failure, so that a browser can read both', async () => {
  const article = await buildPublished(api, tenant.secretKey);
  const key = tenant.publishableKey;
  for (const [path, status, options] of [
    ['/articles', 200, { key }],
    [`/articles/${article.id}`, 200, { key }],
    [`/articles/${randomUUID()}`, 404, { key }],
    ['/articles?limit=0', 400, { key }],
    ['/articles?status=draft', 403, { key }],
    ['/articles', 401, {}],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await api.request(method, path, options);
      expect(answer.status).toBe(status);
      expectOpen(answer);
    }
  }
});

test('writes are open to no other origin', async () => {
  const options = {
    key: tenant.secretKey,
    idempotencyKey: true,
    headers: { origin: 'https://blog.example' },
  } as const;
  const answer = await api.request('POST', '/articles', options);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, null]);
});
