import { startApi, useApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

const shared = await useApi();
const open: TestApi[] = [];
afterAll(() => Promise.all(open.map((api) => api.close())));

async function start(publicUrl?: string): Promise<TestApi> {
  const api = await startApi(publicUrl === undefined ? {} : { publicUrl }, { on: shared });
  open.push(api);
  return api;
}

const read = async (api: TestApi, path: string) => (await api.request('GET', api.origin + path)).json;

test('resource and server are described where clients look', async () => {
  const api = await start();
  const resource = await read(api, '/.well-known/oauth-protected-resource/mcp');
  expect(resource).toMatchObject({
    resource: `${api.origin}/mcp`,
    authorization_servers: [api.origin],
    bearer_methods_supported: ['header'],
  });
  expect(resource.scopes_supported).not.toContain('keys:write');
  expect(await read(api, '/.well-known/oauth-protected-resource')).toEqual(resource);
  expect(await read(api, '/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: api.origin,
    authorization_endpoint: `${api.origin}/oauth/authorize`,
    token_endpoint: `${api.origin}/oauth/token`,
    revocation_endpoint: `${api.origin}/oauth/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

test('a service below a path is described below that path too', async () => {
  const api = await start('https://cms.example.com/presswork');
  const resource = await read(api, '/.well-known/oauth-protected-resource/presswork/mcp');
  expect([resource.resource, resource.authorization_servers]).toEqual([
    'https://cms.example.com/presswork/mcp',
    ['https://cms.example.com/presswork'],
  ]);
  const server = await read(api, '/.well-known/oauth-authorization-server/presswork');
  expect(server.issuer).toBe('https://cms.example.com/presswork');
  expect(
    (await api.request('GET', `${api.origin}/.well-known/oauth-authorization-server/other`)).status,
  ).toBe(401);
});

test('only read', async () => {
  const api = await start();
  const answer = await api.request('POST', `${api.origin}/.well-known/oauth-authorization-server`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test.each([
  [undefined, '/.well-known/oauth-protected-resource/mcp'],
  ['https://cms.example.com/presswork', '/.well-known/oauth-protected-resource/presswork/mcp'],
])(
  'the MCP server of %s tells where its metadata are, with and without a wrong key',
  async (publicUrl, path) => {
    const api = await start(publicUrl);
    const origin = publicUrl === undefined ? api.origin : new URL(publicUrl).origin;
    for (const key of [undefined, 'svc_sk_wrong']) {
      const { status, headers } = await api.request('POST', `${api.origin}/mcp`, { key, body: {} });
      const told = headers.get('www-authenticate') ?? '';
      expect([
        status,
        told.startsWith(`Bearer resource_metadata="${origin}${path}", scope="articles:read `),
      ]).toEqual([401, true]);
    }
  },
);
