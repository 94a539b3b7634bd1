import type { TestApi } from '../../../support/api.ts';
import { startOAuthStack } from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';
import type { SignInCase } from '../../../support/sign-in.ts';

let stack: OAuthStack;
let api: TestApi;
let next: SignInCase;

beforeAll(async () => {
  stack = await startOAuthStack();
  ({ api } = stack);
  next = await stack.nextPerson();
});
afterAll(() => stack.close());

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const random = createRandom(7);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'token',
  'prompt',
];
const values = () => [
  '',
  '\0',
  '\uD800',
  '%',
  '%00',
  '%zz',
  '🙂',
  "'; drop table oauth_grants; --",
  '<script>',
  '\u202E',
  'x'.repeat(3_000),
  'a'.repeat(43),
  `${'a'.repeat(43)}.${'b'.repeat(43)}`,
  'svc_sk_00000000000000000000000000000000000000',
  'code',
  'S256',
  'authorization_code',
  'refresh_token',
  'articles:read',
  'https://client.example/callback',
  'http://[::1',
  'https://127.0.0.1/x',
  'javascript:x',
  `${api.origin}/mcp`,
  stack.host.client(),
  `${stack.host.origin}/none`,
];

/** A query or form of random fields, some of them broken. */
function junk(): string {
  const all = values();
  return Array.from({ length: random(10) }, () => {
    const value = pick(all);
    return `${pick(names)}=${random(4) === 0 ? value.replaceAll(/[^\x21-\x7e]/g, '') : encodeURIComponent(value.toWellFormed())}`;
  }).join('&');
}

test('600 junk requests to all addresses of OAuth are never a 5xx', async () => {
  const paths = [
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/x',
  ];
  const wrong: string[] = [];
  for (let index = 0; index < 600; index += 1) {
    // Limits of requests are not under test here.
    if (index % 10 === 0) stack.clock.advance(60_000);
    const method = pick(['GET', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS']);
    const query = junk();
    const path = `${pick(paths)}${random(2) === 0 ? '' : `?${query}`}`;
    const type = pick([
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'application/json',
      'x',
    ]);
    const body = method === 'POST' || method === 'PUT' ? junk() : undefined;
    const headers = {
      'content-type': type,
      origin: api.origin,
      ...(random(2) === 0 ? { cookie: next.visitor.cookie } : {}),
    };
    const { status } = await api.request(method, api.origin + path, { body, headers });
    if (status >= 500) wrong.push(`${status} ${method} ${path} ${body}`);
  }
  expect(wrong).toEqual([]);
});

test('300 junk forms of the consent page are never a 5xx, and give nothing', async () => {
  const grants = async () => (await api.db.pool.query('select 1 from oauth_grants')).rows.length;
  const before = await grants();
  const wrong: string[] = [];
  for (let index = 0; index < 300; index += 1) {
    if (index % 10 === 0) stack.clock.advance(60_000);
    const fields = {
      do: pick(['approve', 'deny', 'x']),
      site_id: pick([next.tenant.siteId, '', '\u0001', 'x']),
    };
    const path = `/oauth/authorize?${junk()}`;
    const { status } = await next.visitor.submit(path, fields);
    if (status >= 500) wrong.push(`${status} ${path}`);
  }
  expect(wrong).toEqual([]);
  expect(await grants()).toBe(before);
});
