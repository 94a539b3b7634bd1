import { randomBytes } from 'node:crypto';
import { createClientAddress } from '../../../../api/http/client-address.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { removeMember } from '../../../../domain/organisations/organisations.ts';
import {
  hashPassword,
  unmatchableHash,
  setPassword,
  signMemberOut,
} from '../../../../domain/sign-in/passwords.ts';
import { deleteEndedSessions } from '../../../../domain/sign-in/sessions.ts';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildPerson } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { startDeviceSignIn } from '../../../support/device.ts';
import { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const HOUR = 3_600_000;
let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let person: Person;
let visitor: PageVisitor;

beforeAll(async () => {
  stack = await startSignInStack({ clientAddress: createClientAddress(parseNetworks('127.0.0.1')) });
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person, visitor } = await stack.nextCase());
});
afterAll(() => api.close());

const inTx = <T>(work: (tx: Parameters<Parameters<TestApi['db']['transaction']>[0]>[0]) => Promise<T>) =>
  api.db.transaction(work);
const signIn = (who = person) => visitor.signIn(who.email, who.password);
const isSignedIn = async (by = visitor) => (await by.get()).title === 'Sign a device in';

describe('signing in', () => {
  test('accepts the address in any case, and sets a new token in a cookie that scripts cannot read', async () => {
    await visitor.get();
    const before = visitor.cookie;
    const answer = await visitor.post({ do: 'sign-in', ...person, email: ` ${person.email.toUpperCase()} ` });
    expect(answer.status).toBe(303);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^presswork_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(before);
    expect(await isSignedIn()).toBe(true);
  });

  test('outside loopback, and over https, the cookie is Secure and limited to this host', async () => {
    const secure = await startApi({ publicUrl: 'https://cms.example.com' }, { on: api });
    const { headers } = await new PageVisitor(secure).get();
    const plain = await startApi({ publicUrl: 'http://cms.example.com' }, { on: api });
    const byHttp = (await new PageVisitor(plain).get()).headers;
    await Promise.all([secure.close(), plain.close()]);
    for (const [cookie = ''] of [headers.getSetCookie(), byHttp.getSetCookie()]) {
      expect(cookie).toMatch(/^__Host-presswork_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    }
  });

  test('is refused in the same way for a wrong password, an unknown address, a member without a password and a removed one', async () => {
    const removed = await buildPerson(api.db, tenant.organisationId);
    await inTx((tx) => removeMember({ tx, actor: operator, now: clock.now() }, removed.memberId));
    const { rows } = await api.db.pool.query('select email from members where id = $1', [tenant.memberId]);
    const answers = [];
    for (const [email, password] of [
      [person.email, 'Password of someone else'],
      ['nobody@example.com', person.password],
      [rows[0].email, 'Password of nobody'],
      [removed.email, removed.password],
      ['', ''],
      [person.email, ''],
      [person.email, `${person.password} `],
    ] as const) {
      const { status, html } = await visitor.signIn(email, password);
      answers.push([
        status,
        html.replaceAll(email || '\0', '').replaceAll(/value="[^"]*"|autofocus|\s+/g, ''),
      ]);
    }
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([422]));
    expect(new Set(answers.slice(0, 4).map(([, html]) => html)).size).toBe(1);
    expect(await isSignedIn()).toBe(false);
  });

  test('checks an address without a password against a hash that costs the same', async () => {
    const costs = (hash: string): string[] => hash.split('$').slice(1, 4);
    expect(costs(unmatchableHash)).toEqual(costs(await hashPassword('A password of somebody')));
    expect(costs(unmatchableHash)).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  });

  test('accepts both Unicode forms of a password', async () => {
    const twice = await buildPerson(api.db, tenant.organisationId, { password: 'Grüße aus Köln' });
    await visitor.signIn(twice.email, 'Grüße aus Köln'.normalize('NFD'));
    expect(await isSignedIn()).toBe(true);
  });

  test('allows five attempts a minute for one address from one network; then even the right password has to wait', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const by = new PageVisitor(api, { 'x-forwarded-for': '127.0.0.1' });
        return (await by.signIn(person.email, 'Password of someone else')).status;
      }),
    );
    expect(attempts.sort()).toEqual([...Array(5).fill(422), ...Array(3).fill(429)]);
    const refused = await signIn();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    clock.advance(60_000);
    expect((await signIn()).status).toBe(303);
  });

  test('allows twenty attempts a minute from one network, for any address', async () => {
    const by = new PageVisitor(api, { 'x-forwarded-for': '198.51.100.7' });
    await by.get();
    const attempts = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const email = `nobody${index}@example.com`;
        return (await by.post({ do: 'sign-in', email, password: 'Password of nobody' })).status;
      }),
    );
    expect(attempts.filter((status) => status === 422)).toHaveLength(20);
    expect(attempts.filter((status) => status === 429)).toHaveLength(4);
    expect((await signIn()).status).toBe(303);
  });

  test('stores no typed address', async () => {
    await visitor.signIn('typed@example.com', 'Password of nobody');
    const { rows } = await api.db.pool.query('select c::text as text from rate_limit_counters c');
    expect(JSON.stringify(rows)).not.toContain('typed');
  });
});

describe('a session', () => {
  test('ends after 12 hours without use, to the millisecond, and is then deleted', async () => {
    await signIn();
    clock.advance(12 * HOUR - 1);
    expect(await isSignedIn()).toBe(true);
    clock.advance(12 * HOUR - 1);
    expect(await isSignedIn()).toBe(true);
    clock.advance(12 * HOUR);
    expect(await isSignedIn()).toBe(false);
    expect(await inTx((tx) => deleteEndedSessions(tx, clock.now(), 100))).toBeGreaterThanOrEqual(1);
    expect(await inTx((tx) => deleteEndedSessions(tx, clock.now(), 100))).toBe(0);
  });

  test('ends with the membership, at the next request', async () => {
    await signIn();
    await inTx((tx) => removeMember({ tx, actor: operator, now: clock.now() }, person.memberId));
    expect(await isSignedIn()).toBe(false);
  });

  test.each([
    [
      'a new password',
      async () => {
        const hash = await hashPassword('A new password');
        await inTx((tx) => setPassword({ tx, actor: operator, now: clock.now() }, person.memberId, hash));
      },
    ],
    [
      'the operator',
      async () =>
        void (await inTx((tx) => signMemberOut({ tx, actor: operator, now: clock.now() }, person.memberId))),
    ],
  ])('is ended by %s, in every browser', async (_name, end) => {
    const second = new PageVisitor(api);
    await signIn();
    await second.signIn(person.email, person.password);
    await end();
    expect([await isSignedIn(), await isSignedIn(second)]).toEqual([false, false]);
  });

  test('ends by signing out, in that browser only; the old cookie is invalid', async () => {
    const second = new PageVisitor(api);
    await signIn();
    await second.signIn(person.email, person.password);
    await visitor.get();
    const { cookie } = visitor;
    const out = await visitor.post({ do: 'sign-out' });
    expect([out.status, visitor.cookie]).toEqual([303, '']);
    visitor.cookie = cookie;
    expect([await isSignedIn(), await isSignedIn(second)]).toEqual([false, true]);
  });

  test('does not survive a password change during its creation', async () => {
    const hash = await hashPassword('A new password');
    await visitor.get();
    await Promise.all([
      visitor.post({ do: 'sign-in', ...person }),
      inTx((tx) => setPassword({ tx, actor: operator, now: clock.now() }, person.memberId, hash)),
    ]);
    expect(await isSignedIn()).toBe(false);
  });

  test('the database contains no token and no password', async () => {
    await signIn();
    const { rows } = await api.db.pool.query(
      `select (select json_agg(s) from sessions s)::text || (select json_agg(m) from members m)::text as text`,
    );
    expect(rows[0].text).toContain('$argon2id$');
    expect(rows[0].text).not.toContain(visitor.cookie.split('=')[1]);
    expect(rows[0].text).not.toContain(person.password);
  });
});

describe('forms from elsewhere', () => {
  const approve = async () => {
    const { user_code } = await startDeviceSignIn(api);
    return { do: 'approve', user_code, site_id: tenant.siteId };
  };

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a frame without origin', { origin: 'null' }],
    ['no origin', { origin: '' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
  ])('%s is refused', async (_name, headers) => {
    await signIn();
    await visitor.get();
    const refused = await visitor.post(await approve(), '', headers);
    expect([refused.status, refused.html.includes('another site')]).toEqual([403, true]);
  });

  test('a form without the token of this browser is refused, also one of another session', async () => {
    const second = new PageVisitor(api);
    await second.signIn(person.email, person.password);
    await second.get();
    await signIn();
    await visitor.get();
    for (const form_token of ['', 'x', second.formToken, randomBytes(32).toString('base64url')]) {
      expect((await visitor.post({ ...(await approve()), form_token })).status).toBe(403);
    }
    expect((await visitor.post(await approve())).status).toBe(200);
  });

  test('a browser without cookies is told so', async () => {
    await visitor.get();
    visitor.cookie = '';
    const refused = await visitor.post({ do: 'sign-in', ...person });
    expect([refused.status, refused.html.includes('cookie')]).toEqual([403, true]);
  });

  test('a decision without a session leads to the sign-in, and decides nothing', async () => {
    const form = await approve();
    await visitor.get();
    const answer = await visitor.post(form);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `sign-in?next=${encodeURIComponent(`/device?user_code=${form.user_code}`)}`,
    ]);
    const { rows } = await api.db.pool.query(
      'select 1 from device_authorizations where decision is not null',
    );
    const before = rows.length;
    await signIn();
    await visitor.get();
    expect((await visitor.post(form)).status).toBe(200);
    expect(
      (await api.db.pool.query('select 1 from device_authorizations where decision is not null')).rows,
    ).toHaveLength(before + 1);
  });

  test.each([
    ['JSON', { 'content-type': 'application/json' }, 415],
    ['no action', {}, 400],
  ])('%s is no form', async (_name, headers, status) => {
    await visitor.get();
    expect((await visitor.post({ do: '' }, '', headers)).status).toBe(status);
  });

  test('a character that cannot be stored is refused, before any look-up', async () => {
    await visitor.get();
    expect((await visitor.post({ do: 'sign-in', email: 'a\0b@example.com', password: 'x' })).status).toBe(
      400,
    );
    expect((await visitor.get('?user_code=%00')).status).toBe(200);
    await signIn();
    expect((await visitor.get('?user_code=%00')).status).toBe(404);
  });
});
