import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createClientDocuments } from '../../../adapters/oauth/client-documents.ts';
import { CALLBACK, startClientHost } from '../../support/oauth.ts';
import type { ClientHost } from '../../support/oauth.ts';

let host: ClientHost;

beforeAll(async () => {
  host = await startClientHost();
});
afterAll(() => host.close());

const json = { 'content-type': 'application/json' };

test('a document is read once while it is kept', async () => {
  const id = host.client({ client_name: 'Once' });
  expect(host.clients.recall(id)).toBeNull();
  const client = { id, name: 'Once', redirectUris: [CALLBACK] };
  expect(await host.clients.read(id, 'a')).toEqual(client);
  expect(host.clients.recall(id)).toEqual(client);
});

test('what cannot be used is not kept', async () => {
  const id = host.serve('/later', { status: 503, body: '' });
  expect(await host.clients.read(id, 'a')).toEqual({ failure: 'status', detail: 'HTTP 503' });
  host.serve('/later', { headers: json, body: JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] }) });
  expect(await host.clients.read(id, 'a')).toMatchObject({ id });
});

test.each([
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }, 'unreachable'],
  ['nothing', { status: 404, headers: json, body: '{}' }, 'status'],
  ['a page', { headers: { 'content-type': 'text/html' }, body: '{}' }, 'type'],
  ['no type', { headers: {}, body: '{}' }, 'type'],
  ['what is not JSON', { headers: json, body: '{' }, 'content'],
  ['a list', { headers: json, body: '[]' }, 'content'],
  ['null', { headers: json, body: 'null' }, 'content'],
  ['deep nesting', { headers: json, body: '['.repeat(16_000) }, 'content'],
  ['too much', { headers: json, body: `{"client_id":"${'x'.repeat(20_000)}"}` }, 'content'],
  [
    'the document of another',
    { headers: json, body: JSON.stringify({ client_id: 'https://a.example/b', redirect_uris: [CALLBACK] }) },
    'content',
  ],
] as const)('%s is no document', async (_what, served, failure) => {
  const before = host.read.length;
  const id = host.serve('/bad', served);
  expect(await host.clients.read(id, 'a')).toMatchObject({ failure });
  expect(host.read.length - before).toBe(1);
  expect(host.clients.recall(id)).toBeNull();
});

test('a type of its own for JSON, with parameters, is JSON', async () => {
  const id = `${host.origin}/suffix`;
  const headers = { 'content-type': 'Application/OAuth-Client+JSON; charset=utf-8' };
  host.serve('/suffix', { headers, body: JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] }) });
  expect(await host.clients.read(id, 'a')).toMatchObject({ id, name: new URL(id).host });
});

test('a type that is repeated is the first one', async () => {
  const id = `${host.origin}/twice`;
  const body = JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] });
  const types = (...all: string[]) => ({ 'content-type': all as unknown as string });
  host.serve('/twice', { headers: types('text/html', 'application/json'), body });
  expect(await host.clients.read(id, 'a')).toMatchObject({ failure: 'type' });
  host.serve('/twice', { headers: types('application/json', 'text/html'), body });
  expect(await host.clients.read(id, 'a')).toMatchObject({ id });
});

describe('without hosts that the operator has exempted', () => {
  const http = createGuardedClient();
  const clients = createClientDocuments(http);
  afterAll(() => http.close());

  test.each([
    'https://127.0.0.1/client',
    'https://localhost/client',
    'https://[::1]/client',
    'https://[::ffff:127.0.0.1]/client',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client',
    'https://metadata.internal/client',
  ])('%s is not reached', async (id) => {
    const result = await clients.read(id, 'a');
    expect('failure' in result && ['address', 'unreachable'].includes(result.failure)).toBe(true);
    if ('failure' in result && result.failure === 'unreachable')
      expect(result.detail).toMatch(/private_address|protocol/);
  });

  test('the host of this test is not reached either', async () => {
    const before = host.read.length;
    expect(await clients.read(host.client(), 'a')).toMatchObject({ failure: 'unreachable' });
    expect(host.read.length).toBe(before);
  });
});
