import type { TestApi } from '../../../support/api.ts';
import { buildOrganisation, buildPerson, buildSite, buildTenant } from '../../../support/builders.ts';
import {
  authorizePath,
  CALLBACK,
  decide,
  pkce,
  redirected,
  startOAuthStack,
} from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';
import { PageVisitor } from '../../../support/page.ts';
import type { SignInCase } from '../../../support/sign-in.ts';

let stack: OAuthStack;
let api: TestApi;
let next: SignInCase;

beforeAll(async () => {
  stack = await startOAuthStack();
  ({ api } = stack);
});
beforeEach(async () => {
  next = await stack.nextPerson();
});
afterAll(() => stack.close());

const { challenge } = pkce();
const path = (clientId = stack.host.client(), changes: Record<string, string | null> = {}) =>
  authorizePath(api, clientId, challenge, changes);
const grants = async () =>
  (
    await api.db.pool.query(
      'select site_id, client_name, redirect_uri from oauth_grants where site_id = $1',
      [next.tenant.siteId],
    )
  ).rows;

test('who is not signed in signs in first, and nothing is read from anywhere for them', async () => {
  const stranger = new PageVisitor(api);
  const before = stack.host.read.length;
  const address = path();
  const led = await stranger.visit(address);
  expect([led.status, led.headers.get('location')]).toEqual([
    303,
    `../sign-in?next=${encodeURIComponent(address)}`,
  ]);
  const signIn = `/sign-in?next=${encodeURIComponent(address)}`;
  await stranger.visit(signIn);
  const { email, password } = next.person;
  const signedIn = await stranger.submit(signIn, { do: 'sign-in', email, password });
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, address.slice(1)]);
  expect(stack.host.read.length).toBe(before);
  expect((await stranger.visit(address)).title).toBe('Give this program access?');
});

test('a state of 2,500 characters comes back through the sign-in', async () => {
  const stranger = new PageVisitor(api);
  const address = path(undefined, { state: 's'.repeat(2_500) });
  const signIn = `/sign-in?next=${encodeURIComponent(address)}`;
  await stranger.visit(signIn);
  const { email, password } = next.person;
  const signedIn = await stranger.submit(signIn, { do: 'sign-in', email, password });
  expect(signedIn.headers.get('location')).toBe(address.slice(1));
});

test.each([
  ['without a client', { client_id: null }],
  ['without a redirect', { redirect_uri: null }],
  ['with a redirect that is not registered', { redirect_uri: `${CALLBACK}/other` }],
  ['with a redirect to a script', { redirect_uri: 'javascript:alert(1)' }],
  ['with a client that is no address', { client_id: 'client' }],
  ['with a client without a document', { client_id: 'https://localhost/none' }],
  ['with a query that is too long', { state: 's'.repeat(4_000) }],
])('a request %s gets a page, and never a redirect', async (_what, changes) => {
  const answer = await next.visitor.visit(path(undefined, changes));
  expect([answer.status, answer.title, answer.headers.get('location')]).toEqual([
    400,
    'That did not work',
    null,
  ]);
});

test('a parameter that is sent twice gets a page', async () => {
  const answer = await next.visitor.visit(`${path()}&state=b`);
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
});

test.each([
  ['another type of answer', { response_type: 'token' }, 'unsupported_response_type'],
  ['no type of answer', { response_type: null }, 'invalid_request'],
  ['no challenge', { code_challenge: null }, 'invalid_request'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method', { code_challenge_method: null }, 'invalid_request'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
])('%s is told to the client', async (_what, changes, error) => {
  const answer = await next.visitor.visit(path(undefined, changes));
  expect(answer.status).toBe(303);
  expect(redirected(answer)).toEqual({
    error,
    error_description: expect.any(String),
    state: 'a state',
    iss: api.origin,
  });
});

test('the query of a redirect stays as it is', async () => {
  const redirect = `${CALLBACK}?a=%20b&c`;
  const clientId = stack.host.client({ redirect_uris: [redirect] });
  const done = await decide(next.visitor, path(clientId, { redirect_uri: redirect }), next.tenant.siteId);
  expect(done.headers.get('location')?.startsWith(`${redirect}&code=`)).toBe(true);
});

test('a document is judged by the redirect that is asked for', async () => {
  const redirect_uri = 'http://127.0.0.1:30008/cb';
  const odd = ['mcpjam://oauth/callback', 'http://example.com/cb', null];
  const clientId = stack.host.client({ redirect_uris: [redirect_uri, ...odd], client_name: null });
  expect((await next.visitor.visit(path(clientId, { redirect_uri }))).status).toBe(200);
  const asked = await next.visitor.visit(path(clientId, { redirect_uri: 'mcpjam://oauth/callback' }));
  expect([asked.status, asked.headers.get('location')]).toEqual([400, null]);
});

test('a program on the person’s machine may listen on any port', async () => {
  const clientId = stack.host.client({ redirect_uris: ['http://127.0.0.1/callback'] });
  const redirect = 'http://127.0.0.1:49152/callback';
  const done = await decide(next.visitor, path(clientId, { redirect_uri: redirect }), next.tenant.siteId);
  expect(done.headers.get('location')?.startsWith(`${redirect}?code=`)).toBe(true);
  expect(done.headers.get('content-security-policy')).toContain(`form-action 'self' http://127.0.0.1:49152;`);
});

test('what strangers wrote is shown as text, without what hides or reorders it', async () => {
  const hostile = '<script>alert(1)</script>"\u202Egnp.exe\u0000';
  const clientId = stack.host.client({ client_name: hostile });
  const { html, headers } = await next.visitor.visit(path(clientId));
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; gnp.exe');
  expect(html).not.toMatch(/<script|[\u202A-\u202E\0]/);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://client.example;");
  await decide(next.visitor, path(clientId), next.tenant.siteId);
  expect((await grants())[0].client_name).toBe('<script>alert(1)</script>" gnp.exe');
});

test('what is wrong with a document is told to its author, and nothing that strangers wrote', async () => {
  const clientId = stack.host.client({ redirect_uris: ['<i>call 0800</i>'] });
  const { status, html } = await next.visitor.visit(path(clientId, { redirect_uri: '<b>call 0800</b>' }));
  expect([status, html.includes('redirect_uris: one must be')]).toEqual([400, true]);
  expect(html).not.toContain('0800');
  const other = await next.visitor.visit(path(undefined, { redirect_uri: 'https://evil.example/call-0800' }));
  expect([other.status, other.html.includes('0800')]).toEqual([400, false]);
});

test('one of several Sites has to be chosen, and only one’s own', async () => {
  const second = await buildSite(api.db, next.tenant.organisationId);
  const other = await buildTenant(api.db);
  const address = path();
  const shown = await next.visitor.visit(address);
  expect(shown.html).toContain(second);
  expect(shown.html).not.toContain(other.siteId);
  for (const site_id of ['', other.siteId, 'no id', '\u0001']) {
    const refused = await next.visitor.submit(address, { do: 'approve', site_id });
    expect([refused.status, refused.html.includes('Choose the Site')]).toEqual([422, true]);
  }
  expect(await grants()).toEqual([]);
  await next.visitor.submit(address, { do: 'approve', site_id: next.tenant.siteId });
  expect(await grants()).toHaveLength(1);
});

test('who may not create keys cannot give access', async () => {
  const organisation = await buildOrganisation(api.db);
  await buildSite(api.db, organisation);
  const editor = await buildPerson(api.db, organisation, { role: 'editor' });
  const visitor = new PageVisitor(api);
  await visitor.signIn(editor.email, editor.password);
  const answer = await visitor.visit(path());
  expect([answer.status, answer.title]).toEqual([403, 'That did not work']);
});

test('a form of another site, of another browser or without its token decides nothing', async () => {
  const address = path();
  await next.visitor.visit(address);
  const form = { do: 'approve', site_id: next.tenant.siteId };
  const foreign = await next.visitor.submit(address, form, { origin: 'https://evil.example' });
  const without = await next.visitor.submit(address, { ...form, form_token: 'x' });
  const anonymous = await new PageVisitor(api).submit(address, form);
  expect(
    [foreign, without, anonymous].map(({ status, headers }) => [status, headers.get('location')]),
  ).toEqual(Array.from({ length: 3 }, () => [403, null]));
  expect(await grants()).toEqual([]);
});

test('the page speaks German, in its errors too', async () => {
  const german = { 'accept-language': 'de' };
  expect((await next.visitor.visit(path(), german)).html).toContain('Diesem Programm Zugriff geben?');
  expect((await next.visitor.visit('/oauth/authorize', german)).html).toContain(
    'nicht gesagt, welches es ist',
  );
});

test('documents are read 20 times a minute for a person', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1) statuses.push((await next.visitor.visit(path())).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test('signing out leads to the sign-in, and from there back', async () => {
  const address = path();
  await next.visitor.visit(address);
  const answer = await next.visitor.submit(address, { do: 'sign-out' });
  expect(answer.headers.get('location')).toBe(`../sign-in?next=${encodeURIComponent(address)}`);
  expect((await next.visitor.visit(address)).status).toBe(303);
});

test.each(['PUT', 'DELETE'])('%s is not a method of the page', async (method) => {
  const answer = await fetch(`${api.origin}/oauth/authorize`, { method });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

describe('an access for drafts only', () => {
  const isChecked = ({ html }: { html: string }) => /name="drafts_only" value="true" checked/.test(html);
  const draftsOnly = async (): Promise<unknown> =>
    (await api.db.pool.query('select drafts_only from oauth_grants where site_id = $1', [next.tenant.siteId]))
      .rows[0]?.drafts_only;

  test('is the choice at first, and another one stays over a mistake', async () => {
    const address = path();
    expect(isChecked(await next.visitor.visit(address))).toBe(true);
    const again = await next.visitor.submit(address, { do: 'approve', site_id: 'none' });
    expect([again.status, isChecked(again)]).toEqual([422, false]);
  });

  test.each([
    [{ drafts_only: 'true' }, true],
    [{}, false],
  ])('is given as the form says: %p', async (fields, expected) => {
    const address = path();
    await next.visitor.visit(address);
    await next.visitor.submit(address, { do: 'approve', site_id: next.tenant.siteId, ...fields });
    expect(await draftsOnly()).toBe(expected);
  });
});
