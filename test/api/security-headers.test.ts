import { startApi, useApi } from '../support/api.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import { sendRaw } from './raw-http.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);
await buildPublished(api, tenant.secretKey);

/** Every kind of answer: [method, path, key, status]. */
const answers = [
  ['GET', '/v1/articles', 'secretKey', 200],
  ['HEAD', '/v1/articles', 'publishableKey', 200],
  ['POST', '/v1/articles', 'secretKey', 400],
  ['PUT', '/v1/articles', 'secretKey', 405],
  ['OPTIONS', '/v1/articles', null, 204],
  ['GET', '/v1/nothing', 'secretKey', 404],
  ['GET', '/v1/articles', null, 401],
  ['GET', '/v1/keys', 'publishableKey', 403],
  ['POST', '/v1/auth/device', null, 400],
  ['GET', '/nothing', null, 401],
  ['GET', '/healthz', null, 200],
  ['GET', '/readyz', null, 200],
  ['GET', '/openapi.json', null, 200],
  ['GET', '/v1/openapi.json', null, 200],
  ['GET', '/docs', null, 200],
  ['GET', '/docs/guide/errors', null, 200],
  ['GET', '/docs/style.css', null, 200],
  ['GET', '/docs/try.js', null, 200],
  ['GET', '/device', null, 303],
  ['GET', '/sign-in', null, 200],
  ['GET', '/dashboard/api/account', null, 403],
  ['GET', '/sign-in/style.css', null, 200],
  ['DELETE', '/device', null, 405],
  ['GET', '/public/x.png', null, 401],
] as const;

const ask = (method: string, path: string, key: (typeof answers)[number][2]) =>
  api.request(method, `${api.origin}${path}`, key === null ? {} : { key: tenant[key] });

test.each(answers)('%s %s with %s has the security headers', async (method, path, key, status) => {
  const { status: got, headers } = await ask(method, path, key);
  expect(got).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(['no-referrer', 'same-origin']).toContain(headers.get('referrer-policy'));
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  expect(headers.get('content-security-policy')).not.toMatch(/\*|https?:|unsafe-eval/);
  // The request came by http, and PUBLIC_URL is not https.
  expect(headers.get('strict-transport-security')).toBeNull();
  for (const name of ['server', 'x-powered-by', 'access-control-allow-credentials'])
    expect(headers.get(name)).toBeNull();
});

test('only the pages may load anything, and only from here; only the reference runs a script', async () => {
  const policyOf = async (path: string) =>
    (await ask('GET', path, null)).headers.get('content-security-policy');
  expect(await policyOf('/healthz')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(await policyOf('/sign-in')).toContain("style-src 'self'");
  expect(await policyOf('/sign-in')).not.toContain('script-src');
  expect(await policyOf('/device')).not.toContain('script-src');
  expect(await policyOf('/docs')).toContain("script-src 'self';");
});

test('a request that is not HTTP gets the same headers', async () => {
  const { status, headers } = await sendRaw(api.origin, ['NONSENSE']);
  expect(status).toBe(400);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('Strict-Transport-Security is sent if the public URL is https, and not if it is http', async () => {
  const said = async (publicUrl: string, path: string): Promise<string | null> => {
    const other = await startApi({ publicUrl }, { on: api });
    try {
      return (await other.request('GET', `${other.origin}${path}`)).headers.get('strict-transport-security');
    } finally {
      await other.close();
    }
  };
  for (const path of ['/v1/articles', '/docs'])
    expect(await said('https://api.example.com', path)).toMatch(/^max-age=\d{8}$/);
  expect(await said('http://api.example.com', '/docs')).toBeNull();
});
