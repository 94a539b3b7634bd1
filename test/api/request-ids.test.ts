import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { sendRaw } from './raw-http.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const idOf = async (sent: string | undefined) => {
  const answer = await api.request('GET', '/ping', {
    key: tenant.secretKey,
    headers: sent === undefined ? {} : { 'Request-Id': sent },
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('request-id') ?? '';
};

test.each(['a', 'A-b_9', '-', '0'.repeat(64)])('the client’s own id %j is used', async (sent) => {
  expect(await idOf(sent)).toBe(sent);
});

test.each(['', '0'.repeat(65), 'with space', 'a/b', 'a.b', 'ä', 'a,b', '<script>', 'a"b'])(
  'a malformed id, %j, is replaced by a new one',
  async (sent) => {
    const id = await idOf(sent);
    expect(id).not.toBe(sent);
    expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  },
);

test('two ids in one request are ignored', async () => {
  const answer = await sendRaw(api.origin, [
    'GET /v1/ping HTTP/1.1',
    'Host: localhost',
    'Request-Id: first',
    'Request-Id: second',
  ]);
  expect(answer.headers.get('request-id')).not.toMatch(/first|second/);
});

test('each request without an id gets one', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idOf(undefined)));
  expect(new Set(ids).size).toBe(20);
});

test.each([
  ['GET', '/ping', 401],
  ['OPTIONS', '/ping', 204],
  ['GET', '/openapi.json', 200],
  ['GET', '/nothing', 401],
])('%s %s without a key carries the client’s id too', async (method, path, status) => {
  const answer = await api.request(method, path, { headers: { 'Request-Id': 'mine' } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('request-id')).toBe('mine');
  if (status >= 400) expect(answer.json.request_id).toBe('mine');
});

test.each(['/healthz', '/readyz', '/docs', '/openapi.json'])(
  '%s outside the version carries an id and the rate limit',
  async (path) => {
    const answer = await api.request('GET', api.origin + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('request-id')).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
      expect(answer.headers.get(name)).toMatch(/^\d+$/);
  },
);
