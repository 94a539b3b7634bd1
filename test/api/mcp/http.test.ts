import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { forgetLimits } from '../../support/limits.ts';
import { eventually } from '../../support/eventually.ts';
import { useApi } from '../../support/api.ts';
import { buildAgent } from '../../support/approvals.ts';
import { buildKey, buildTenant } from '../../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);
const { secret: agent, id: agentId } = await buildAgent(api, tenant);

/** As if the agent had sent so many requests in this minute, of which some seconds are left for the one that follows. */
async function count(requests: number, rateClass: string): Promise<void> {
  await eventually('the minute does not end soon', () => Date.now() % 60_000 < 45_000);
  await api.db.pool.query(
    `update rate_limit_counters set requests = $1, window_start = date_trunc('minute', now())
     where subject = $2 and class = $3`,
    [requests, agentId, rateClass],
  );
}

beforeEach(() => forgetLimits(api.db, tenant.siteId));

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const post = (body: string | object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${api.origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${agent}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function refusal(answer: Response): Promise<unknown[]> {
  const { error } = (await answer.json()) as { error: { code: string } };
  return [answer.status, error.code];
}

test('without a usable key it is 401 in the envelope, and says how to get one', async () => {
  for (const Authorization of ['', 'Bearer nonsense', `Bearer svc_sk_${'a'.repeat(43)}`]) {
    const answer = await post(ping, { Authorization });
    const challenge = answer.headers.get('www-authenticate');
    expect(challenge).toMatch(/^Bearer resource_metadata="http/);
    // Only what was sent can be invalid.
    expect(challenge?.includes('error="invalid_token"')).toBe(Authorization !== '');
    expect(await refusal(answer)).toEqual([401, 'INVALID_API_KEY']);
  }
});

test('a revoked key is 401', async () => {
  const { secret, id } = await buildAgent(api, tenant);
  expect((await post(ping, { Authorization: `Bearer ${secret}` })).status).toBe(200);
  await api.request('DELETE', `/keys/${id}`, { key: tenant.secretKey });
  expect(await refusal(await post(ping, { Authorization: `Bearer ${secret}` }))).toEqual([
    401,
    'API_KEY_REVOKED',
  ]);
});

test('a publishable key, a foreign origin, and switched-off agents are 403 in the envelope', async () => {
  const publishable = await buildKey(api.db, tenant.siteId, tenant.memberId, { kind: 'publishable' });
  expect(await refusal(await post(ping, { Authorization: `Bearer ${publishable.secret}` }))).toEqual([
    403,
    'INSUFFICIENT_SCOPE',
  ]);
  expect(await refusal(await post(ping, { Origin: 'https://evil.example' }))).toEqual([403, 'FORBIDDEN']);
  expect((await post(ping, { Origin: api.origin })).status).toBe(200);
  const other = await buildTenant(api.db);
  const { secret } = await buildAgent(api, other);
  await api.request('PATCH', '/organisation', { key: other.secretKey, body: { agent_access: false } });
  expect(await refusal(await post(ping, { Authorization: `Bearer ${secret}` }))).toEqual([
    403,
    'AGENT_ACCESS_DISABLED',
  ]);
});

test('a large and a deep message are refused', async () => {
  const large = { ...ping, params: { text: 'x'.repeat(1_300_000) } };
  expect((await post(large)).status).toBe(413);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;
  expect((await post(deep)).status).toBe(400);
});

test('other methods keep nothing open', async () => {
  const headers = { Authorization: `Bearer ${agent}`, Accept: 'text/event-stream' };
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD', 'PROPFIND']) {
    const answer = await fetch(`${api.origin}/mcp`, { method, headers });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    await answer.text();
  }
  // Methods that fetch does not send, and other ways to write the address.
  for (const line of ['TRACE /mcp', 'POST http://other.example/mcp', 'GET //mcp']) {
    const head = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent}\r\nConnection: close\r\n\r\n`;
    expect([line, (await sendRaw(head)).slice(0, 900)]).toEqual([line, expect.stringMatching(/^HTTP.1.1 4/)]);
  }
});

/** What the server answers to bytes. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(api.origin).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
/** A request of the newest revision. */
const modern = {
  headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      },
    },
  },
};

describe.each([
  ['2025', (headers: Record<string, string>) => post(initialize, headers)],
  ['2026', (headers: Record<string, string>) => post(modern.body, { ...headers, ...modern.headers })],
])('a client of %s gets its answer in a form that it takes', (_era, send) => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; q=0.5, text/event-stream',
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    '*/*',
    'application/*, text/*',
  ])('JSON for %s', async (Accept) => {
    const answer = await send({ Accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toMatchObject({ id: 1, result: expect.any(Object) });
  });

  test.each(['text/event-stream', 'TEXT/event-stream', 'text/*', 'application/json;q=0, text/event-stream'])(
    'one event for %s',
    async (Accept) => {
      const answer = await send({ Accept });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(await answer.text()) ?? [];
      expect(JSON.parse(data)).toMatchObject({ id: 1, result: expect.any(Object) });
    },
  );

  test.each(['text/html', 'application/xml', 'application/json;q=0'])('none for %s', async (Accept) => {
    expect(await refusal(await send({ Accept }))).toEqual([406, 'INVALID_REQUEST']);
  });
});

test('a client that says nothing of what it takes gets JSON', async () => {
  const body = JSON.stringify(initialize);
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${agent}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const answer = await sendRaw(`${head.join('\r\n')}\r\n\r\n${body}`);
  expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\nContent-Type: application\/json\r\n/i);
});

test('a notification is answered without a body, whatever its client takes', async () => {
  for (const Accept of ['*/*', 'application/json', 'text/event-stream']) {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { Accept });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  }
});

test('null counts as left out, where clients send it for what they have none of', async () => {
  const call = async (method: string, params: unknown): Promise<any> =>
    (await post({ jsonrpc: '2.0', id: 1, method, params })).json();
  expect((await call('ping', null)).result).toEqual({});
  expect((await call('tools/list', null)).result.tools.length).toBeGreaterThan(20);
  expect((await call('tools/list', { cursor: null })).result.tools.length).toBeGreaterThan(20);
  expect((await call('tools/list', { _meta: null })).result.tools.length).toBeGreaterThan(20);
  const called = await call('tools/call', { name: 'get_site', arguments: null });
  expect(called.result.structuredContent).toHaveProperty('timezone');
  const inner = { operation_id: 'getSite', arguments: null };
  const other = await call('tools/call', { name: 'call_operation', arguments: inner });
  expect(other.result.structuredContent).toHaveProperty('timezone');
});

test('a batch, bytes that are not UTF-8 and an encoded body are refused', async () => {
  expect(await refusal(await post([ping, ping]))).toEqual([400, 'INVALID_REQUEST']);
  const body = Buffer.concat([
    Buffer.from(JSON.stringify(ping).slice(0, -1)),
    Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ]);
  const headers = { Authorization: `Bearer ${agent}`, 'Content-Type': 'application/json' };
  const bytes = await fetch(`${api.origin}/mcp`, { method: 'POST', headers, body });
  expect(await refusal(bytes)).toEqual([400, 'INVALID_REQUEST']);
  expect(await refusal(await post(ping, { 'Content-Encoding': 'gzip' }))).toEqual([415, 'INVALID_REQUEST']);
});

test('the revisions are those from 2025-06-18 on; whoever wants another is offered the newest handshake', async () => {
  const initialize = async (protocolVersion: unknown): Promise<any> => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const words = await (await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).text();
    return JSON.parse(words.replace(/^event: message\ndata: /, ''));
  };
  const offered = {
    '2024-11-05': '2025-11-25',
    '2025-03-26': '2025-11-25',
    '2025-06-18': '2025-06-18',
    '2025-11-25': '2025-11-25',
    '2099-01-01': '2025-11-25',
  };
  for (const [wanted, answered] of Object.entries(offered))
    expect([wanted, (await initialize(wanted)).result.protocolVersion]).toEqual([wanted, answered]);
  expect((await initialize(7)).error.code).toBe(-32602);
  expect((await post(ping, { 'MCP-Protocol-Version': '2025-03-26' })).status).toBe(400);
});

test('parameters of another form are the mistake of the client, and named', async () => {
  const cases: [string, object | undefined, string][] = [
    ['prompts/get', { name: 'edit_for_clarity', arguments: { article_id: 5 } }, 'arguments.article_id: '],
    ['prompts/get', {}, 'name: '],
    ['resources/read', { uri: 7 }, 'uri: '],
    ['resources/list', { cursor: 5 }, 'cursor: '],
    ['tools/list', { cursor: 'x' }, 'cursor: '],
    ['tools/call', { name: 'get_site', arguments: [] }, 'arguments: '],
    ['tools/call', undefined, 'params: '],
  ];
  for (const [method, params, words] of cases) {
    const answer = await (await post({ jsonrpc: '2.0', id: 1, method, params })).text();
    expect([method, answer]).toEqual([method, expect.stringMatching(`-32602,"message":"${words}`)]);
  }
});

test('a limit or maintenance is told, and never an empty list of articles', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
  expect(await (await post(list)).text()).toContain('"resources":[]');
  await count(599, 'read');
  expect(await (await post(list)).text()).toContain('RATE_LIMIT_EXCEEDED');
});

test('a notification is accepted without a body', async () => {
  const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([answer.status, await answer.text()]).toEqual([202, '']);
});

const createNote = (content: string) => ({
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'create_article', arguments: { body: { title: 'Large', content } } },
});

test('maintenance and limits of an operation are results that say when to try again', async () => {
  await api.db.pool.query(
    'insert into maintenance (site_id, retry_after, started_at) values ($1, 77, now())',
    [tenant.siteId],
  );
  try {
    expect(await (await post(createNote('x'))).text()).toMatch(/MAINTENANCE: .*Try again after 77 seconds/);
  } finally {
    await api.db.pool.query('delete from maintenance where site_id = $1', [tenant.siteId]);
  }
  const now = await (await post(createNote('x'))).text();
  expect(now).not.toContain('isError');
  await count(1_000_000, 'write');
  expect(await (await post(createNote('x'))).text()).toMatch(
    /RATE_LIMIT_EXCEEDED: .*Try again after \d+ seconds/,
  );
});

test('a state of another key, or of nobody, is refused without a word about the inside', async () => {
  for (const requestState of ['', 'nonsense', 'A'.repeat(50_000)]) {
    const params = { name: 'get_site', arguments: {}, requestState, _meta: modernMeta };
    const answer = await post(
      { jsonrpc: '2.0', id: 9, method: 'tools/call', params },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'get_site' },
    );
    const words = await answer.text();
    expect([answer.status < 500, words]).toEqual([true, expect.stringMatching(/result|error/)]);
    expect(words).not.toMatch(/decrypt|cipher|auth|buffer|secret/i);
  }
});

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('a call is a request: counted, limited and in the audit log under its Request-Id', async () => {
  const call = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'create_category', arguments: {} },
  };
  const named = {
    ...call,
    params: {
      name: 'call_operation',
      arguments: { operation_id: 'createCategory', arguments: { body: { name: 'Tea', slug: 'tea' } } },
    },
  };
  const answer = await post(named, { 'Request-Id': 'from-the-agent' });
  expect(answer.headers.get('request-id')).toBe('from-the-agent');
  expect(await answer.text()).toContain('\\"slug\\":\\"tea\\"');
  const { data } = await api.request('GET', '/audit-log?limit=1', { key: tenant.secretKey });
  expect(data.items[0]).toMatchObject({ action: 'category.create', request_id: 'from-the-agent' });
  const { rows } = await api.db.pool.query('select class from rate_limit_counters where subject = $1', [
    agentId,
  ]);
  expect(rows.length).toBeGreaterThan(1);
  for (const { class: rateClass } of rows) await count(1_000_000, rateClass);
  expect((await post(call)).status).toBe(429);
});

const junk = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.oneof(
          fc.string(),
          fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'prompts/get', 'initialize', 'ping'),
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({
            name: fc.constantFrom('list_articles', 'get_article', 'call_operation', 'find_operation', 'x'),
            arguments: fc.oneof(
              fc.dictionary(fc.string(), fc.jsonValue()),
              fc.record({
                operation_id: fc.constantFrom('listArticles', 'deleteArticle', '__proto__', 'constructor'),
                arguments: fc.jsonValue(),
              }),
              fc.record({ id: fc.string({ unit: 'binary' }), query: fc.jsonValue(), body: fc.jsonValue() }),
            ),
          }),
        ),
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message)),
);

test('a thousand calls of junk are answered, none by 500', async () => {
  await fc.assert(
    fc.asyncProperty(junk, fc.constantFrom('2025-06-18', '2026-07-28', 'x', null), async (body, version) => {
      await forgetLimits(api.db, tenant.siteId);
      const answer = await post(body, version === null ? {} : { 'MCP-Protocol-Version': version });
      const words = await answer.text();
      expect([answer.status < 500, words.includes('INTERNAL_ERROR')]).toEqual([true, false]);
      expect(words).not.toMatch(/\bat \/|node_modules|Internal error/);
    }),
    { numRuns: 1_000 },
  );
});
