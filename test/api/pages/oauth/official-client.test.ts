import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { TestApi } from '../../../support/api.ts';
import { CALLBACK, decide, startOAuthStack } from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';

let stack: OAuthStack;
let api: TestApi;

beforeAll(async () => {
  stack = await startOAuthStack();
  ({ api } = stack);
});
afterAll(() => stack.close());

/** What a hosted client keeps between its steps. */
function createProvider(clientMetadataUrl: string) {
  const kept: Record<string, any> = {};
  const keep = (name: string) => (value: unknown) => void (kept[name] = value);
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadataUrl,
    clientMetadata: { redirect_uris: [CALLBACK], client_name: 'Official' },
    state: () => 'state of the client',
    clientInformation: () => kept['client'],
    saveClientInformation: keep('client'),
    tokens: () => kept['tokens'],
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('address'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: keep('discovery'),
    discoveryState: () => kept['discovery'],
  };
  return { provider, kept };
}

test('the official client finds everything by itself, signs in, and refreshes', async () => {
  const { tenant, visitor } = await stack.nextPerson();
  const { provider, kept } = createProvider(stack.host.client({ client_name: 'Official' }));
  const serverUrl = `${api.origin}/mcp`;
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT');
  const { pathname, search, searchParams } = kept['address'] as URL;
  expect(searchParams.get('resource')).toBe(serverUrl);
  const done = await decide(visitor, pathname + search, tenant.siteId);
  const answered = new URL(done.headers.get('location') ?? '').searchParams;
  expect(answered.get('state')).toBe('state of the client');
  const authorizationCode = answered.get('code') ?? '';
  const iss = answered.get('iss') ?? '';
  expect(await auth(provider, { serverUrl, authorizationCode, iss })).toBe('AUTHORIZED');
  const first = kept['tokens'].access_token;
  expect((await api.request('GET', '/articles', { key: first })).status).toBe(200);
  stack.clock.advance(3_600_000);
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED');
  const second = kept['tokens'].access_token;
  expect(second).not.toBe(first);
  expect((await api.request('GET', '/articles', { key: second })).status).toBe(200);
});

test('its transport does so by itself once the MCP server has refused it, and then calls tools', async () => {
  const { tenant, visitor } = await stack.nextPerson();
  const { provider, kept } = createProvider(stack.host.client({ client_name: 'Official' }));
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${api.origin}/mcp`), {
      authProvider: provider,
    });
    const client = new Client({ name: 'official', version: '1.0.0' });
    return { transport, client, connected: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connected).rejects.toThrow('Unauthorized');
  const { pathname, search, searchParams } = kept['address'] as URL;
  expect(searchParams.get('scope')).not.toContain('keys:write');
  const done = await decide(visitor, pathname + search, tenant.siteId);
  await first.transport.finishAuth(new URL(done.headers.get('location') ?? '').searchParams);
  const { client, connected } = await connect();
  await connected;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('list_articles');
  await client.close();
});
