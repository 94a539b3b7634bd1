import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { errorStatus } from '../../domain/kernel/errors.ts';
import type { Database } from '../../db/database.ts';
import { startApi, useApi } from '../support/api.ts';
import type { Answer, RequestOptions } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);
const article = await buildArticle(api, tenant.secretKey, { title: 'One', content: 'Text.' });

const ask = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, ...options });

const unknownId = randomUUID();

describe('success', () => {
  test('a result is the member data', async () => {
    const { status, json } = await ask('GET', '/site');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['data']);
  });

  test('a page is items and next_cursor, null at the end', async () => {
    const { json } = await ask('GET', '/categories');
    expect(json).toEqual({ data: { items: [], next_cursor: null } });
  });

  test('a page that is not the last has a cursor to the next one', async () => {
    await buildArticle(api, tenant.secretKey);
    const first = await ask('GET', '/articles?limit=1');
    expect(typeof first.data.next_cursor).toBe('string');
    const second = await ask('GET', `/articles?limit=1&cursor=${encodeURIComponent(first.data.next_cursor)}`);
    expect(second.status).toBe(200);
    expect(second.data.items[0].id).not.toBe(first.data.items[0].id);
  });

  test('204 has no body', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const answer = await ask('DELETE', `/articles/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('times are RFC 3339 with milliseconds and Z', async () => {
    const { data } = await ask('GET', `/articles/${article.id}`);
    expect(data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(data.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('a creation has Location and ETag', async () => {
    const answer = await ask('POST', '/articles', { idempotencyKey: true });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${api.origin}/v1/articles/${answer.data.id}`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect((await ask('GET', answer.headers.get('location')!)).data.id).toBe(answer.data.id);
  });
});

/** Headers of the connection, not of the answer. */
const ofTheConnection = new Set(['transfer-encoding', 'content-length', 'keep-alive', 'connection']);

const failures: [name: string, status: number, code: string, request: () => Promise<Answer>][] = [
  ['no key', 401, 'INVALID_API_KEY', () => api.request('GET', '/ping')],
  [
    'an operation closed to publishable keys',
    403,
    'INSUFFICIENT_SCOPE',
    () => ask('POST', '/articles', { key: tenant.publishableKey }),
  ],
  ['an unknown path', 404, 'NOT_FOUND', () => ask('GET', '/nothing-here')],
  ['an unknown object', 404, 'NOT_FOUND', () => ask('GET', `/articles/${unknownId}`)],
  ['a method that the path does not take', 405, 'INVALID_REQUEST', () => ask('PUT', '/articles')],
  ['an unknown query parameter', 400, 'INVALID_REQUEST', () => ask('GET', '/articles?colour=red')],
  ['bad JSON', 400, 'INVALID_REQUEST', () => ask('POST', '/articles', { body: '{', idempotencyKey: true })],
  [
    'another content type',
    415,
    'INVALID_REQUEST',
    () =>
      ask('POST', '/articles', {
        body: 'a=b',
        headers: { 'content-type': 'text/plain' },
        idempotencyKey: true,
      }),
  ],
  [
    'an unknown field',
    422,
    'VALIDATION_FAILED',
    () => ask('POST', '/articles', { body: { colour: 'red' }, idempotencyKey: true }),
  ],
  [
    'an old version',
    412,
    'PRECONDITION_FAILED',
    () => ask('PATCH', `/articles/${article.id}`, { body: {}, headers: { 'if-match': 'W/"99"' } }),
  ],
];

describe('errors', () => {
  test.each(failures)('%s is %i %s, in the one envelope', async (_name, status, code, request) => {
    const answer = await request();
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(Object.keys(errorStatus)).toContain(code);
    expect(Object.keys(answer.json).sort()).toEqual(['error', 'request_id']);
    expect(answer.json.error.message).toMatch(/\S.*\.$/);
    expect('fields' in answer.json.error).toBe(status === 422);
    expect('limit' in answer.json.error).toBe(false);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('request-id')).toBe(answer.json.request_id);
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(answer.headers.get(name)).toMatch(/^\d+$/);
  });

  test('the codes are exactly those of the specification', () => {
    expect(Object.keys(errorStatus).sort()).toEqual(
      `INVALID_REQUEST INVALID_API_KEY API_KEY_REVOKED API_KEY_EXPIRED NOT_ENTITLED INSUFFICIENT_CREDITS
       SPEND_CAP_REACHED INSUFFICIENT_SCOPE AGENT_ACCESS_DISABLED APPROVAL_DENIED FORBIDDEN NOT_FOUND
       COMMENTS_DISABLED PARENT_NOT_FOUND SLUG_CONFLICT IDEMPOTENCY_KEY_CONFLICT IDEMPOTENCY_KEY_IN_FLIGHT
       CONFLICT APPROVAL_INVALID PREREQUISITE_MISSING FEATURE_UNAVAILABLE PRECONDITION_FAILED
       VALIDATION_FAILED COMMENTS_CLOSED RATE_LIMIT_EXCEEDED INTERNAL_ERROR MAINTENANCE`
        .split(/\s+/)
        .sort(),
    );
  });

  test('another Site’s object gets exactly the answer of a missing one', async () => {
    const stranger = await buildTenant(api.db);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const options = { key: stranger.secretKey, headers: { 'Request-Id': 'same' } };
      const body = method === 'PATCH' ? { body: { title: 'Mine' } } : {};
      const foreign = await api.request(method, `/articles/${article.id}`, { ...options, ...body });
      const absent = await api.request(method, `/articles/${unknownId}`, { ...options, ...body });
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(absent.text);
      expect([...foreign.headers.keys()]).toEqual([...absent.headers.keys()]);
    }
    expect((await ask('GET', `/articles/${article.id}`)).data.title).toBe('One');
  });

  test('a 500 reveals nothing internal; the log line with its id does', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    });
    const fail = () => Promise.reject(new Error('relation "secret_table" does not exist'));
    const broken = {
      any: fail,
      maybeOne: fail,
      one: fail,
      exec: fail,
      transaction: fail,
    } as unknown as Database;
    const failing = await startApi({ db: broken, log: pino(stream) }, { on: api });
    const answer = await failing.request('GET', '/ping', { key: tenant.secretKey });
    await failing.close();
    expect([answer.status, answer.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toContain('secret_table');
    expect(answer.text).not.toContain('stack');
    expect(answer.headers.get('ratelimit-limit')).toMatch(/^\d+$/);
    const logged = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.request_id === answer.json.request_id);
    expect(JSON.stringify(logged)).toContain('secret_table');
    expect(lines.join('')).not.toContain(tenant.secretKey);
  });
});

describe('paths and methods', () => {
  test.each([
    ['PUT', '/articles', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/articles', 'GET, HEAD, POST, OPTIONS'],
    ['POST', `/articles/${unknownId}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', `/articles/${unknownId}/publish`, 'POST, OPTIONS'],
    ['HEAD', `/articles/${unknownId}/publish`, 'POST, OPTIONS'],
    ['PUT', '/ping', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and says in Allow what there is', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  test.each([
    '/ping/',
    '/Ping',
    '/articles/',
    '//ping',
    '/articles//',
    '/',
    '',
    '/__proto__',
    '/constructor',
  ])('the path %j is none: paths are case-sensitive and take no trailing slash', async (path) => {
    const answer = await ask('GET', path);
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('a path outside /v1 is 404', async () => {
    for (const path of ['/articles', '/v2/articles', '/V1/ping', '/v1ping'])
      expect((await ask('GET', api.origin + path)).status).toBe(404);
  });

  const spellings: [string, (id: string) => string, number][] = [
    ['in capitals', (id) => id.toUpperCase(), 200],
    ['percent-encoded', (id) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`, 200],
    ['without hyphens', (id) => id.replaceAll('-', ''), 404],
    ['in braces', (id) => `{${id}}`, 404],
    ['in encoded braces', (id) => `%7B${id}%7D`, 404],
    ['as a urn', (id) => `urn:uuid:${id}`, 404],
    ['with a space after it', (id) => `${id}%20`, 404],
    ['with a line break after it', (id) => `${id}%0A`, 404],
    ['with U+0000 after it', (id) => `${id}%00`, 404],
    ['with broken percent-encoding', (id) => `${id}%ZZ`, 404],
    ['with half a surrogate pair', (id) => `${id}%ED%A0%80`, 404],
    ['one character short', (id) => id.slice(1), 404],
    ['with a slash after it', (id) => `${id}/`, 404],
    ['with a slash encoded after it', (id) => `${id}%2F`, 404],
    ['as a number', () => '1', 404],
    ['as __proto__', () => '__proto__', 404],
    ['as the nil of JavaScript', () => 'undefined', 404],
  ];

  test.each(spellings)('an id %s', async (_name, spell, status) => {
    const answer = await ask('GET', `/articles/${spell(article.id)}`);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.data.id).toBe(article.id);
    else expect(answer.json.error.code).toBe('NOT_FOUND');
  });

  test.each(['/site', '/articles', '/nothing-here', `/articles/${unknownId}`, '/articles?limit=0'])(
    'HEAD %s answers as GET does, without the body',
    async (path) => {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      const names = (answer: Answer) =>
        [...answer.headers.keys()].filter((name) => !ofTheConnection.has(name));
      expect(names(head)).toEqual(names(get));
      for (const name of ['content-type', 'etag', 'allow'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    },
  );

  test('HEAD without a key is 401 without a body', async () => {
    const answer = await api.request('HEAD', '/ping');
    expect([answer.status, answer.text, answer.headers.get('www-authenticate')]).toEqual([401, '', 'Bearer']);
  });
});

test('If-None-Match with the current version is 304 without a body, on HEAD too', async () => {
  const etag = (await ask('GET', `/articles/${article.id}`)).headers.get('etag')!;
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(method, `/articles/${article.id}`, { headers: { 'if-none-match': etag } });
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    expect(answer.headers.get('request-id')).not.toBeNull();
    expect(answer.headers.get('ratelimit-remaining')).not.toBeNull();
  }
});
