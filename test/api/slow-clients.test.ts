import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { openRaw, sendRaw } from './raw-http.ts';

const MIB = 1_048_576;

const api = await useApi();
const tenant = await buildTenant(api.db);

let sequence = 0;
const head = (...more: string[]): string[] => [
  'POST /v1/articles HTTP/1.1',
  'Host: localhost',
  `Authorization: Bearer ${tenant.secretKey}`,
  `Idempotency-Key: slow-${(sequence += 1)}`,
  'Content-Type: application/json',
  ...more,
];

const chunk = (bytes: string): string => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;

/** An object of exactly this many bytes. */
const objectOf = (bytes: number): string => `{"title":"x"${' '.repeat(bytes - 13)}}`;

test('a body of exactly 1 MiB is read, announced and chunked', async () => {
  const body = objectOf(MIB);
  expect(Buffer.byteLength(body)).toBe(MIB);
  expect((await sendRaw(api.origin, head(`Content-Length: ${MIB}`), body)).status).toBe(201);
  const chunked = `${chunk(body.slice(0, 9))}${chunk(body.slice(9))}0\r\n\r\n`;
  expect((await sendRaw(api.origin, head('Transfer-Encoding: chunked'), chunked)).status).toBe(201);
});

test('one byte more is 413, before anything else is checked', async () => {
  for (const body of [objectOf(MIB + 1), '\u0000'.repeat(MIB + 1)]) {
    const answer = await sendRaw(api.origin, head(`Content-Length: ${MIB + 1}`), body);
    expect([answer.status, answer.json.error.code]).toEqual([413, 'INVALID_REQUEST']);
    expect(answer.json.request_id).toBe(answer.headers.get('request-id'));
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
  }
});

test('an announced length over the limit is refused before the body arrives', async () => {
  const answer = await sendRaw(api.origin, head('Content-Length: 99999999999'));
  expect([answer.status, answer.json.error.code]).toEqual([413, 'INVALID_REQUEST']);
});

test('an endless chunked body is refused while it is being sent, and its connection is closed', async () => {
  const exchange = openRaw(api.origin);
  const answered = new AbortController();
  const answer = exchange.answer.finally(() => answered.abort());
  await exchange.write(`${head('Transfer-Encoding: chunked').join('\r\n')}\r\n\r\n`);
  const piece = chunk('x'.repeat(65_536));
  let sent = 0;
  while (!answered.signal.aborted) {
    await exchange.write(piece);
    sent += 65_536;
    await new Promise(setImmediate);
  }
  expect((await answer).status).toBe(413);
  expect(sent).toBeLessThan(32 * MIB);
  await exchange.closed;
});

test('a client that sends everything first can still read its 413', async () => {
  const answer = await api.request('POST', '/articles', {
    key: tenant.secretKey,
    idempotencyKey: true,
    body: { content: 'x'.repeat(4 * MIB) },
  });
  expect([answer.status, answer.json.error.code]).toEqual([413, 'INVALID_REQUEST']);
});

test('a request that is refused anyway does not wait for its body', async () => {
  const lines = ['POST /v1/articles HTTP/1.1', 'Host: localhost', 'Content-Length: 1000'];
  expect((await sendRaw(api.origin, lines)).status).toBe(401);
  const withoutIdempotencyKey = [...lines, `Authorization: Bearer ${tenant.secretKey}`];
  expect((await sendRaw(api.origin, withoutIdempotencyKey)).status).toBe(400);
});

test('a connection that breaks in the middle of a body leaves nothing behind', async () => {
  const site = await buildTenant(api.db);
  const exchange = openRaw(api.origin);
  exchange.answer.catch(() => {});
  const lines = head('Content-Length: 1000');
  lines[2] = `Authorization: Bearer ${site.secretKey}`;
  await exchange.write(`${lines.join('\r\n')}\r\n\r\n{"title":`);
  exchange.end();
  await exchange.closed;
  const { data } = await api.request('GET', '/articles', { key: site.secretKey });
  expect(data.items).toEqual([]);
});

test('100-continue is answered, and then the request', async () => {
  const exchange = openRaw(api.origin);
  await exchange.write(`${head('Content-Length: 13', 'Expect: 100-continue').join('\r\n')}\r\n\r\n`);
  await exchange.write(objectOf(13));
  expect((await exchange.answer).status).toBe(201);
  exchange.end();
});

const unreadable: [name: string, status: number, bytes: () => string][] = [
  ['no HTTP', 400, () => 'hello\r\n\r\n'],
  ['U+0000 in a header', 400, () => 'GET /v1/ping HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n'],
  ['U+0000 in the path', 400, () => 'GET /v1/\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'two lengths',
    400,
    () => 'POST /v1/articles HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  [
    'a length and chunks',
    400,
    () => 'POST /v1/articles HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['headers over 32 KiB', 431, () => `GET /v1/ping HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
  ['a path over 32 KiB', 431, () => `GET /v1/${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
];

test.each(unreadable)(
  '%s is %i in the envelope, and the connection is closed',
  async (_name, status, bytes) => {
    const exchange = openRaw(api.origin);
    await exchange.write(bytes());
    const answer = await exchange.answer;
    expect([answer.status, answer.json.error.code]).toEqual([status, 'INVALID_REQUEST']);
    expect(answer.json.request_id).toBe(answer.headers.get('request-id'));
    for (const name of ['limit', 'remaining', 'reset'])
      expect(answer.headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
    await exchange.closed;
  },
);

test.each([
  ['without Host', 400, ['GET /v1/ping HTTP/1.1', 'Connection: close']],
  ['with an unknown expectation', 401, ['GET /v1/ping HTTP/1.1', 'Host: a', 'Expect: miracles']],
  [
    'that asks for an upgrade',
    401,
    ['GET /v1/ping HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'],
  ],
  ['in the absolute form', 401, ['GET http://a/v1/ping HTTP/1.1', 'Host: a']],
  ['in the absolute form, without a path', 401, ['GET http://a HTTP/1.1', 'Host: a', 'Accept: */*']],
  ['for a target without a path', 400, ['GET foo://bar HTTP/1.1', 'Host: a']],
  ['for a target of another scheme', 400, ['GET ftp://a/v1/ping HTTP/1.1', 'Host: a']],
  ['for a target whose host cannot be read', 400, ['GET http://[a/v1/ping HTTP/1.1', 'Host: a']],
  ['for the server as a whole', 404, ['OPTIONS * HTTP/1.1', 'Host: a']],
  ['of HTTP/1.0', 401, ['GET /v1/ping HTTP/1.0']],
])('a request %s gets the envelope (%i)', async (_name, status, lines) => {
  const answer = await sendRaw(api.origin, lines);
  expect(answer.status).toBe(status);
  expect(answer.json.request_id).toBe(answer.headers.get('request-id'));
});

test('a request without a path gets the id that it was sent with', async () => {
  const answer = await sendRaw(api.origin, ['GET foo://bar HTTP/1.1', 'Host: a', 'Request-Id: mine']);
  expect([answer.headers.get('request-id'), answer.json.request_id]).toEqual(['mine', 'mine']);
});

test('a whole request gets its own answer, whatever follows it on the connection, which is then closed', async () => {
  const exchange = openRaw(api.origin);
  const body = objectOf(30);
  const surplus = 'and bytes that are no request\r\n\r\n';
  await exchange.write(`${head(`Content-Length: ${body.length}`).join('\r\n')}\r\n\r\n${body}${surplus}`);
  const answer = await exchange.answer;
  expect([answer.status, answer.json.data.title]).toEqual([201, 'x']);
  await exchange.closed;
});

test('a body that becomes unreadable is 400, although its request has begun', async () => {
  const exchange = openRaw(api.origin);
  await exchange.write(`${head('Transfer-Encoding: chunked').join('\r\n')}\r\n\r\n${chunk('{')}nonsense\r\n`);
  const answer = await exchange.answer;
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  await exchange.closed;
});
