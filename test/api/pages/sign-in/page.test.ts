import { nextPath } from '../../../../api/pages/sign-in/next-path.ts';
import type { TestApi } from '../../../support/api.ts';
import type { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let person: Person;
let visitor: PageVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
beforeEach(async () => {
  ({ person, visitor } = await stack.nextCase());
});
afterAll(() => api.close());

const form = () => ({ do: 'sign-in', email: person.email, password: person.password });

test('a person signs in, and is led to the dashboard; then the page leads there at once', async () => {
  const page = await visitor.visit('/sign-in');
  expect([page.status, page.title, page.headers.get('cache-control')]).toEqual([200, 'Sign in', 'no-store']);
  expect(page.html).not.toMatch(/<script|style="/);
  const done = await visitor.submit('/sign-in', form());
  expect([done.status, done.headers.get('location')]).toEqual([303, 'dashboard']);
  const again = await visitor.visit('/sign-in?next=/dashboard/x/articles');
  expect([again.status, again.headers.get('location')]).toEqual([303, 'dashboard/x/articles']);
});

test('a person signs out without scripts', async () => {
  await visitor.visit('/sign-in');
  await visitor.submit('/sign-in', form());
  const { html } = await visitor.visit('/device');
  expect(html).toContain('Sign out');
  const out = await visitor.submit('/sign-in', { do: 'sign-out' });
  expect([out.status, out.headers.get('location'), visitor.cookie]).toEqual([303, 'sign-in', '']);
  expect((await visitor.visit('/sign-in')).status).toBe(200);
});

test.each([
  ['/device', '/device'],
  ['/device?user_code=A-B', '/device?user_code=A-B'],
  ['/oauth/authorize?state=a%20b', '/oauth/authorize?state=a%20b'],
  ['/oauth/authorize/../token', '/dashboard'],
  [`/oauth/authorize?state=${'x'.repeat(6_000)}`, '/dashboard'],
  ['/dashboard/x/articles?status=draft', '/dashboard/x/articles?status=draft'],
  [null, '/dashboard'],
  ['', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['//evil.example/dashboard', '/dashboard'],
  ['/\\evil.example/dashboard', '/dashboard'],
  ['/\t/evil.example/dashboard', '/dashboard'],
  ['/dashboard/../v1/articles', '/dashboard'],
  ['/dashboards', '/dashboard'],
  ['/v1/articles', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['/dashboard\r\nSet-Cookie: a=b', '/dashboard'],
  [`/dashboard/${'x'.repeat(2_000)}`, '/dashboard'],
])('after signing in, %j leads to %s', (named, path) => {
  expect(nextPath(named)).toBe(path);
});

test('what was typed stays, but for the password', async () => {
  await visitor.visit('/sign-in');
  const failed = await visitor.submit('/sign-in', { ...form(), password: 'Password of someone else' });
  expect([failed.status, failed.html.includes(`value="${person.email}"`)]).toEqual([422, true]);
  expect(failed.html).not.toContain('Password of someone else');
});

test('speaks the language of the browser, errors too', async () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
  const page = await visitor.visit('/sign-in', german);
  expect([page.title, page.html.includes('lang="de"'), page.headers.get('vary')]).toEqual([
    'Anmelden',
    true,
    'Accept-Language',
  ]);
  const wrong = await visitor.submit('/sign-in', { ...form(), password: 'x' }, german);
  expect(wrong.html).toContain('E-Mail-Adresse oder das Passwort ist falsch');
  const expired = await visitor.submit('/sign-in', { ...form(), form_token: 'x' }, german);
  expect([expired.status, expired.html.includes('abgelaufen')]).toEqual([403, true]);
  expect((await visitor.visit('/sign-in', { 'accept-language': 'fr' })).title).toBe('Sign in');
});

test('a person is told of a sign-in with a device not seen before, and of no other, in their language', async () => {
  const tellings = async () => {
    const { rows } = await api.db.pool.query(
      `select n.kind, n.details, m.language from notifications n join members m on m.id = n.member_id
       where m.email = $1`,
      [person.email],
    );
    return rows;
  };
  await visitor.visit('/sign-in');
  await visitor.submit('/sign-in', form());
  const told = { kind: 'security.sign_in', details: { address: expect.any(String) }, language: 'en' };
  expect(await tellings()).toEqual([told]);
  await visitor.visit('/device');
  await visitor.submit('/sign-in', { do: 'sign-out' });
  await visitor.submit('/sign-in', form());
  expect(await tellings()).toEqual([told]);
});
