import type { TestApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildSite } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { DashboardVisitor, domainOf, refusal } from '../../../support/dashboard.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let tenant: Tenant;
let person: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
beforeEach(async () => {
  ({ tenant, person } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

describe('a call', () => {
  beforeEach(() => visitor.open(tenant.siteId));

  test('has the limits, the answer and the audit row of any call, as the person’s key', async () => {
    const created = await visitor.call(
      tenant.siteId,
      'POST',
      '/articles',
      { title: 'Written here' },
      { 'idempotency-key': 'dashboard-1' },
    );
    expect([created.status, created.headers.get('ratelimit-limit')]).toEqual([201, '120']);
    const read = await visitor.call(tenant.siteId, 'GET', `/articles/${created.data.id}`);
    expect([read.data.title, read.headers.get('etag')]).toEqual([
      'Written here',
      created.headers.get('etag'),
    ]);
    const log = await visitor.call(tenant.siteId, 'GET', `/audit-log?target_id=${created.data.id}`);
    expect(log.data.items[0]).toMatchObject({
      action: 'article.create',
      actor: { kind: 'key', name: `Dashboard of ${person.email}` },
    });
    const stale = await visitor.call(
      tenant.siteId,
      'PATCH',
      `/articles/${created.data.id}`,
      { title: 'x' },
      { 'if-match': '"999"' },
    );
    expect(refusal(stale)).toEqual([412, 'PRECONDITION_FAILED']);
  });

  test('takes no key but the cookie’s', async () => {
    const agent = await buildKey(api.db, tenant.siteId, person.memberId, { heldByAgent: true });
    for (const secret of [agent.secret, tenant.secretKey]) {
      const authorization = `Bearer ${secret}`;
      const stranger = new DashboardVisitor(api);
      expect(
        refusal(await stranger.call(tenant.siteId, 'GET', '/site', undefined, { authorization })),
      ).toEqual([401, 'INVALID_API_KEY']);
      expect(refusal(await stranger.ask('GET', '/account', undefined, { authorization }))).toEqual([
        401,
        'INVALID_API_KEY',
      ]);
    }
    const listed = await visitor.call(tenant.siteId, 'GET', '/keys', undefined, {
      authorization: `Bearer ${agent.secret}`,
    });
    expect(listed.status).toBe(200);
  });

  test('of its key shows it, and cannot rotate it', async () => {
    const { data } = await visitor.call(tenant.siteId, 'GET', '/keys');
    const key = data.items.find(({ name }: { name: string }) => name === `Dashboard of ${person.email}`);
    const rotated = await visitor.call(tenant.siteId, 'POST', `/keys/${key.id}/rotate`, undefined, {
      'idempotency-key': 'dashboard-2',
    });
    expect(refusal(rotated)).toEqual([409, 'CONFLICT']);
    const byKey = await api.request('POST', `/keys/${key.id}/rotate`, {
      key: tenant.secretKey,
      idempotencyKey: true,
    });
    expect(refusal(byKey)).toEqual([409, 'CONFLICT']);
  });

  test('creates keys that do not end with the session: it is the person who creates them', async () => {
    const body = { name: 'For the blog', kind: 'secret', scopes: ['articles:read'], expires_at: null };
    const created = await visitor.call(tenant.siteId, 'POST', '/keys', body, {
      'idempotency-key': 'dashboard-3',
    });
    expect([created.status, created.data.expires_at]).toEqual([201, null]);
    const started = await startDeviceSignIn(api, { scopes: ['articles:read'] });
    const decided = await visitor.call(tenant.siteId, 'POST', '/auth/device/approve', {
      user_code: started.user_code,
    });
    expect(decided.status).toBe(200);
    const device = (await poll(api, started)).data.key;
    expect(device.expires_at).toBeNull();
    await visitor.ask('POST', '/sign-out');
    for (const key of [created.data.secret, device.secret])
      expect((await api.request('GET', '/articles', { key })).status).toBe(200);
  });

  test.each([
    ['another origin', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of this host', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    ['a browser that says nothing of the origin', { 'sec-fetch-site': '' }],
    ['another origin, in an older browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['a form', { 'x-presswork': '' }],
  ])('from %s is refused', async (_name, headers) => {
    const article = await buildArticle(api, tenant.secretKey);
    const path = `/articles/${article.id}`;
    expect(refusal(await visitor.call(tenant.siteId, 'DELETE', path, undefined, headers))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await visitor.ask('POST', '/sign-out', undefined, headers))).toEqual([403, 'FORBIDDEN']);
    expect((await visitor.call(tenant.siteId, 'GET', path)).status).toBe(200);
  });

  test('from an older browser is taken by its origin, and a preflight of another origin gets nothing', async () => {
    const older = { 'sec-fetch-site': '', origin: api.origin };
    expect((await visitor.call(tenant.siteId, 'GET', '/site', undefined, older)).status).toBe(200);
    const preflight = await visitor.send('OPTIONS', `/dashboard/${tenant.siteId}/v1/articles`, undefined, {
      origin: 'https://evil.example',
      'access-control-request-headers': 'x-presswork',
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('of another Site, and with a cookie that was changed, is 401', async () => {
    const second = await buildSite(api.db, tenant.organisationId);
    const cookie = visitor.cookies.find(({ path }) => path === `/dashboard/${tenant.siteId}/`);
    const as = (value: string) => ({ cookie: `${cookie?.name}=${value}` });
    expect(refusal(await visitor.call(second, 'GET', '/site'))).toEqual([401, 'INVALID_API_KEY']);
    expect(refusal(await visitor.call(second, 'GET', '/site', undefined, as(cookie?.value ?? '')))).toEqual([
      401,
      'INVALID_API_KEY',
    ]);
    const sealed = Buffer.from(cookie?.value ?? '', 'base64url');
    for (const at of [0, 10, 25, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const answer = await visitor.call(
        tenant.siteId,
        'GET',
        '/site',
        undefined,
        as(changed.toString('base64url')),
      );
      expect(refusal(answer)).toEqual([401, 'INVALID_API_KEY']);
    }
    for (const value of ['', 'x', 'A'.repeat(5_000), tenant.secretKey])
      expect((await visitor.call(tenant.siteId, 'GET', '/site', undefined, as(value))).status).toBe(401);
  });

  test('in two tabs with two Sites sees each its own', async () => {
    const second = await buildSite(api.db, tenant.organisationId);
    await visitor.open(second);
    const seen = await Promise.all(
      [tenant.siteId, second].map(async (id) => (await visitor.call(id, 'GET', '/site')).data.domain),
    );
    expect(seen).toEqual([await domainOf(api, tenant.siteId), await domainOf(api, second)]);
  });

  test('of a path that the API does not have is answered as there', async () => {
    expect(refusal(await visitor.call(tenant.siteId, 'GET', '/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect((await visitor.call(tenant.siteId, 'PUT', '/articles')).status).toBe(405);
  });
});
