import { operator } from '../../../../domain/audit/record.ts';
import { eraseMember } from '../../../../domain/leaving/erase-member.ts';
import { changeRole, removeMember } from '../../../../domain/organisations/organisations.ts';
import { createLink, deleteExpiredLinks } from '../../../../domain/sign-in/links.ts';
import { hashPassword, setPassword } from '../../../../domain/sign-in/passwords.ts';
import { createClientAddress } from '../../../../api/http/client-address.ts';
import { loggedPath } from '../../../../api/framework/logged-path.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildPerson, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, liveKeys, refusal } from '../../../support/dashboard.ts';
import { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const HOUR = 3_600_000;
const NEW = 'A new long password';
let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let owner: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack({ clientAddress: createClientAddress(parseNetworks('127.0.0.1')) });
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person: owner } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(owner.email, owner.password);
});
afterAll(() => api.close());

const ask = (memberId: string, by = visitor) =>
  by.ask('POST', `/${tenant.siteId}/members/${memberId}/reset-link`);
const pathOf = (url: string): string => new URL(url).pathname;
const colleague = (role: 'owner' | 'admin' | 'editor' | 'viewer') =>
  buildPerson(api.db, tenant.organisationId, { role });
const set = (browser: PageVisitor, path: string, password = NEW, repeated = password) =>
  browser.submit(path, { do: 'set', new_password: password, repeated });

describe('a link to set a password', () => {
  test('is made by an administrator, lives 24 hours, and works once', async () => {
    const editor = await colleague('editor');
    const before = await new DashboardVisitor(api).signIn(editor.email, editor.password);
    await before.open(tenant.siteId);
    const made = await ask(editor.memberId);
    expect([made.status, Date.parse(made.data.expires_at) - clock.now().getTime()]).toEqual([201, 24 * HOUR]);
    expect(made.data.url).toMatch(new RegExp(`^${api.origin}/reset-password/[\\w-]{43}$`));
    const path = pathOf(made.data.url);
    const browser = new PageVisitor(api);
    const page = await browser.visit(path);
    expect([page.status, page.html.includes(editor.email)]).toEqual([200, true]);
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'strict-origin',
    ]);
    expect(page.html).not.toContain('<script');
    const done = await set(browser, path);
    expect([done.status, done.title]).toEqual([200, 'Your password is set']);
    expect(refusal(await before.ask('GET', '/account'))).toEqual([401, 'INVALID_API_KEY']);
    expect(await liveKeys(api, tenant.siteId, clock.now())).toEqual([]);
    await new DashboardVisitor(api).signIn(editor.email, NEW);
    expect((await browser.visit(path)).status).toBe(404);
    expect((await set(browser, path, 'Yet another password')).status).toBe(404);
    const { rows } = await api.db.pool.query(
      `select action, actor_name from audit_log where target_id = $1 and action like 'member.%' order by id desc limit 2`,
      [editor.memberId],
    );
    expect(rows).toEqual([
      { action: 'member.password', actor_name: editor.email },
      { action: 'member.reset_link', actor_name: owner.email },
    ]);
  });

  test('used twice at once sets one password', async () => {
    const editor = await colleague('editor');
    const path = pathOf((await ask(editor.memberId)).data.url);
    const browsers = [new PageVisitor(api), new PageVisitor(api)];
    for (const browser of browsers) await browser.visit(path);
    const answers = await Promise.all(
      browsers.map((browser, index) => set(browser, path, `${NEW} ${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const winner = answers.findIndex(({ status }) => status === 200);
    await new DashboardVisitor(api).signIn(editor.email, `${NEW} ${winner}`);
  });

  test('ends after 24 hours, with a newer one, and with the membership; expired ones are deleted', async () => {
    const editor = await colleague('editor');
    const browser = new PageVisitor(api);
    const first = pathOf((await ask(editor.memberId)).data.url);
    const second = pathOf((await ask(editor.memberId)).data.url);
    expect((await browser.visit(first)).status).toBe(404);
    clock.advance(12 * HOUR);
    expect((await browser.visit(second)).status).toBe(200);
    clock.advance(12 * HOUR);
    expect((await browser.visit(second)).status).toBe(404);
    expect(await api.db.transaction((tx) => deleteExpiredLinks(tx, clock.now(), 100))).toBeGreaterThan(0);
    const again = await new DashboardVisitor(api).signIn(owner.email, owner.password);
    const third = pathOf((await ask(editor.memberId, again)).data.url);
    await api.db.transaction((tx) =>
      removeMember({ tx, actor: operator, now: clock.now() }, editor.memberId),
    );
    expect((await browser.visit(third)).status).toBe(404);
  });

  test('ends when the maker leaves or gets another role, and when the member gets one', async () => {
    const [admin, other, target] = [
      await colleague('admin'),
      await colleague('admin'),
      await colleague('editor'),
    ];
    const change = { actor: operator, now: clock.now() };
    const madeBy = async ({ email, password }: Person, member = target): Promise<string> => {
      const by = await new DashboardVisitor(api).signIn(email, password);
      return pathOf((await ask(member.memberId, by)).data.url);
    };
    const status = async (path: string): Promise<number> => (await new PageVisitor(api).visit(path)).status;
    const first = await madeBy(admin);
    expect(await status(first)).toBe(200);
    await api.db.transaction((tx) => removeMember({ tx, ...change }, admin.memberId));
    expect(await status(first)).toBe(404);
    const second = await madeBy(other);
    await api.db.transaction((tx) => changeRole({ tx, ...change }, other.memberId, 'editor'));
    expect(await status(second)).toBe(404);
    const third = await madeBy(owner);
    await api.db.transaction((tx) => changeRole({ tx, ...change }, target.memberId, 'owner'));
    expect(await status(third)).toBe(404);
    const erased = await colleague('admin');
    const fourth = await madeBy(erased, other);
    await api.db.transaction((tx) =>
      eraseMember({ tx, ...change }, erased.memberId, { confirm: erased.email, by: 'operator' }),
    );
    expect(await status(fourth)).toBe(404);
    const renewed = await colleague('admin');
    const fifth = await madeBy(renewed, other);
    const hash = await hashPassword('Another password');
    await api.db.transaction((tx) => setPassword({ tx, ...change }, renewed.memberId, hash));
    expect(await status(fifth)).toBe(404);
  });

  test('is refused for a role above one’s own, for oneself, and to those who do not manage the team', async () => {
    const admin = await colleague('admin');
    const editor = await colleague('editor');
    const byAdmin = await new DashboardVisitor(api).signIn(admin.email, admin.password);
    const byEditor = await new DashboardVisitor(api).signIn(editor.email, editor.password);
    expect(refusal(await ask(owner.memberId, byAdmin))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await ask(admin.memberId, byAdmin))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await ask(editor.memberId, byEditor))).toEqual([403, 'FORBIDDEN']);
    const peer = await ask((await colleague('admin')).memberId, byAdmin);
    expect(refusal(peer)).toEqual([403, 'FORBIDDEN']);
    expect((await ask(admin.memberId)).status).toBe(201);
    expect((await ask(editor.memberId, byAdmin)).status).toBe(201);
    expect((await ask((await colleague('owner')).memberId)).status).toBe(201);
  });

  test('of another organisation is 404', async () => {
    const other = await buildTenant(api.db);
    expect(refusal(await ask(other.memberId))).toEqual([404, 'NOT_FOUND']);
    const path = `/${other.siteId}/members/${other.memberId}/reset-link`;
    expect(refusal(await visitor.ask('POST', path))).toEqual([404, 'NOT_FOUND']);
  });

  test('a mistake keeps the link: too short, too long, leaked, or not the same twice', async () => {
    const editor = await colleague('editor');
    const path = pathOf((await ask(editor.memberId)).data.url);
    const browser = new PageVisitor(api);
    await browser.visit(path);
    for (const [password, repeated, said] of [
      ['short', 'short', 'at least 12'],
      ['x'.repeat(1_001), 'x'.repeat(1_001), 'at most 1,000'],
      // Each stands for 18 letters.
      ['\uFDFA'.repeat(100), '\uFDFA'.repeat(100), 'at most 1,000'],
      ['Password1234', 'Password1234', 'known from leaked passwords'],
      [NEW, `${NEW}!`, 'differ'],
    ] as const) {
      const answer = await set(browser, path, password, repeated);
      expect([answer.status, answer.html.includes(said)]).toEqual([422, true]);
    }
    expect((await set(browser, path)).status).toBe(200);
  });

  test('a form from elsewhere sets nothing, and a wrong token is like an ended one', async () => {
    const editor = await colleague('editor');
    const path = pathOf((await ask(editor.memberId)).data.url);
    const browser = new PageVisitor(api);
    await browser.visit(path);
    const fields = { do: 'set', new_password: NEW, repeated: NEW };
    expect((await browser.submit(path, fields, { origin: 'https://evil.example' })).status).toBe(403);
    for (const token of ['', 'x', 'A'.repeat(43), '../dashboard'])
      expect([401, 404]).toContain((await browser.visit(`/reset-password/${token}`)).status);
  });
});

describe('a link to sign in', () => {
  const make = async (memberId = owner.memberId): Promise<string> => {
    const { token } = await api.db.transaction((tx) => createLink(tx, memberId, 'sign_in', clock.now()));
    return `/sign-in/once/${token}`;
  };

  test('signs in once, and opens the dashboard', async () => {
    const path = await make();
    const browser = new PageVisitor(api);
    const done = await browser.visit(path);
    expect([done.status, done.headers.get('location')]).toEqual([303, '../../dashboard']);
    const by = new DashboardVisitor(api);
    by.takeSession(browser.cookie);
    expect((await by.ask('GET', '/account')).data.account.email).toBe(owner.email);
    expect((await new PageVisitor(api).visit(path)).status).toBe(404);
    // Opened again in the same browser, it leads on.
    expect((await browser.visit(path)).status).toBe(303);
  });

  test('opened twice at once signs one browser in', async () => {
    const path = await make();
    const answers = await Promise.all([new PageVisitor(api).visit(path), new PageVisitor(api).visit(path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  test('works on this machine only, and is not used up by looking ahead', async () => {
    const path = await make();
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': '2001:db8::1' },
      { 'sec-purpose': 'prefetch;prerender' },
    ] as Record<string, string>[])
      expect((await new PageVisitor(api).visit(path, headers)).status).toBe(404);
    expect((await api.request('HEAD', api.origin + path)).status).toBe(404);
    expect((await new PageVisitor(api).visit(path)).status).toBe(303);
  });

  test('ends after 15 minutes, and sets no password', async () => {
    const path = await make();
    const token = path.split('/').pop();
    expect((await new PageVisitor(api).visit(`/reset-password/${token}`)).status).toBe(404);
    clock.advance(15 * 60_000);
    expect((await new PageVisitor(api).visit(path)).status).toBe(404);
  });
});

test('no log shows the token of a link', () => {
  const shown = (path: string) => loggedPath({ path } as Parameters<typeof loggedPath>[0]);
  expect(shown('/reset-password/abc')).toBe('/reset-password/…');
  expect(shown('/sign-in/once/abc')).toBe('/sign-in/once/…');
  expect(shown('/sign-in/code')).toBe('/sign-in/code');
});
