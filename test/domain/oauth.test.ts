import { readClient, readClientId } from '../../domain/oauth/client.ts';
import { isRegistered } from '../../domain/oauth/redirect-uri.ts';

test.each([
  ['https://a.example/cb', 'https://a.example/cb', true],
  ['https://a.example/cb?x=1', 'https://a.example/cb?x=1', true],
  ['com.example.app:/cb', 'com.example.app:/cb', true],
  ['http://127.0.0.1:4711/cb', 'http://127.0.0.1/cb', true],
  ['http://127.0.0.1:4711/cb', 'http://127.0.0.1:1/cb', true],
  ['http://localhost:4711/cb?x=1', 'http://localhost/cb?x=1', true],
  ['http://[::1]:4711/cb', 'http://[::1]/cb', true],
  ['http://127.0.0.1:4711', 'http://127.0.0.1', true],
  ['https://a.example/cb/', 'https://a.example/cb', false],
  ['https://A.example/cb', 'https://a.example/cb', false],
  ['https://a.example:443/cb', 'https://a.example/cb', false],
  ['https://a.example:4711/cb', 'https://a.example/cb', false],
  ['https://a.example/cb?x=1', 'https://a.example/cb', false],
  ['https://a.example/x/../cb', 'https://a.example/cb', false],
  ['http://127.0.0.1:4711/other', 'http://127.0.0.1/cb', false],
  ['http://localhost:4711/cb', 'http://127.0.0.1/cb', false],
  ['http://127.0.0.1:1@evil.example/cb', 'http://127.0.0.1/cb', false],
  ['http://127.0.0.1.evil.example:1/cb', 'http://127.0.0.1/cb', false],
  ['http://localhost:4711\\@evil.example/cb', 'http://localhost/cb', false],
])('a redirect to %s, of a client with %s: %s', (asked, registered, expected) => {
  expect(isRegistered(asked, [registered])).toBe(expected);
});

test.each([
  'http://a.example/cb',
  'javascript:alert(1)',
  'data:text/html,x',
  'cursor:x',
  'https://a.example/cb#x',
  'https://user@a.example/cb',
  'https://a.example/c b',
  'https://a.example/cb\r\nSet-Cookie: a=b',
  'https://ä.example/cb',
  '/cb',
  '',
  `https://a.example/${'x'.repeat(2_000)}`,
])('%j is no redirect, even if it is registered', (uri) => {
  expect(isRegistered(uri, [uri])).toBe(false);
});

test.each([
  ['https://a.example/client', true],
  ['https://a.example/client?version=2', true],
  ['https://a.example', false],
  ['https://a.example/', false],
  ['https://a.example/client#x', false],
  ['https://a.example/client#', false],
  ['https://user:word@a.example/client', false],
  ['https://@a.example/client', false],
  ['https://a.example/x/../client', false],
  ['https://a.example/x/%2e%2e/client', false],
  ['https://a.example/./client', false],
  ['https://A.example/client', false],
  ['https://a.example:443/client', false],
  ['https://0x7f.1/client', false],
  [' https://a.example/client', false],
  ['http://a.example/client', false],
  ['file:///etc/passwd', false],
  ['client', false],
  [`https://a.example/${'x'.repeat(1_000)}`, false],
])('%j can be the id of a client: %s', (id, expected) => {
  expect(readClientId(id, () => false) !== null).toBe(expected);
});

test('a host that the operator has exempted may describe clients over http', () => {
  const isAllowed = ({ host }: URL) => host === '127.0.0.1:4000';
  expect(readClientId('http://127.0.0.1:4000/client', isAllowed)?.href).toBe('http://127.0.0.1:4000/client');
  expect(readClientId('http://127.0.0.1:4001/client', isAllowed)).toBeNull();
  expect(readClientId('ftp://127.0.0.1:4000/client', isAllowed)).toBeNull();
});

const id = new URL('https://a.example/client');
const document = { client_id: id.href, redirect_uris: ['https://a.example/cb'] };

test.each([
  ['another id', { client_id: 'https://b.example/client' }, 'client_id'],
  ['no redirects', { redirect_uris: [] }, 'redirect_uris'],
  ['redirects that are none', { redirect_uris: 'https://a.example/cb' }, 'redirect_uris'],
  ['no redirect that is one', { redirect_uris: ['javascript:x', 'cursor://a/cb', 5] }, 'redirect_uris'],
  ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method'],
  ['no codes', { grant_types: ['client_credentials'] }, 'grant_types'],
  ['tokens at once', { response_types: ['token'] }, 'response_types'],
])('a document with %s is refused, and the reason names it', (_what, changes, field) => {
  expect(readClient(id, { ...document, ...changes })).toEqual({
    problem: expect.stringContaining(field),
  });
});

test.each([
  ['a program’s own scheme', 'mcpjam://oauth/callback'],
  ['http elsewhere', 'http://example.com/cb'],
  ['another loopback address', 'http://127.0.0.2:1/cb'],
  ['a script', 'javascript:x'],
  ['what is no text', null],
])('a redirect that this server does not take, such as %s, is left out beside others', (_what, odd) => {
  const client = readClient(id, { ...document, redirect_uris: [odd, 'http://127.0.0.1:1/cb'] });
  expect(client).toMatchObject({ redirectUris: ['http://127.0.0.1:1/cb'] });
});

test.each(['client_name', 'token_endpoint_auth_method', 'grant_types', 'response_types', 'logo_uri'])(
  'a member %s of another form counts as left out',
  (name) => {
    for (const value of [null, 5, {}])
      expect(readClient(id, { ...document, [name]: value })).toEqual(readClient(id, document));
  },
);

test.each([
  ['Claude', 'Claude'],
  [undefined, 'a.example'],
  [null, 'a.example'],
  [5, 'a.example'],
  [' \u200B ', 'a.example'],
  ['a\u202Eb\u0000c\nd\u2028e', 'a b c d e'],
  ['\uD800x', '\uFFFDx'],
  ['🙂'.repeat(200), '🙂'.repeat(100)],
])('the name %j is shown as %j', (name, shown) => {
  expect(readClient(id, { ...document, client_name: name })).toMatchObject({ name: shown });
});
