import { operator } from '../../../../domain/audit/record.ts';
import { hashPassword, setPassword } from '../../../../domain/sign-in/passwords.ts';
import { removeSecondFactor } from '../../../../domain/sign-in/second-factor.ts';
import { deleteAbandonedSignIns } from '../../../../domain/sign-in/sign-in.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildPerson, buildTenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, refusal } from '../../../support/dashboard.ts';
import { PageVisitor } from '../../../support/page.ts';
import { codeAt, enrol } from '../../../support/second-factor.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let person: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ person } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const act = () => ({ actor: operator, now: clock.now() });
const factor = async (by = visitor) => (await by.ask('GET', '/account')).data.account.two_factor;
const actions = async (memberId = person.memberId): Promise<string[]> =>
  (
    await api.db.pool.query('select action from audit_log where target_id = $1 order by id', [memberId])
  ).rows.map(({ action }) => action);

/** Enters address and password. @returns the browser, at the page that asks for a code */
async function atCode(next = '/dashboard'): Promise<PageVisitor> {
  const browser = new PageVisitor(api);
  await browser.visit('/sign-in');
  const entered = await browser.submit(`/sign-in?next=${encodeURIComponent(next)}`, {
    do: 'sign-in',
    email: person.email,
    password: person.password,
  });
  expect([entered.status, entered.headers.get('location')]).toEqual([
    303,
    `sign-in/code?next=${encodeURIComponent(next)}`,
  ]);
  const page = await browser.visit('/sign-in/code');
  expect([page.status, page.html.includes('autocomplete="one-time-code"')]).toEqual([200, true]);
  return browser;
}
const enter = (browser: PageVisitor, code: string, next = '/dashboard') =>
  browser.submit(`/sign-in/code?next=${encodeURIComponent(next)}`, { do: 'code', code });
const isSignedIn = async (browser: PageVisitor): Promise<boolean> =>
  (await browser.visit('/device')).status === 200;

test('after 20 wrong codes in a row a code of the app is refused for an hour, and a recovery code is accepted', async () => {
  const { secret, recoveryCodes } = await enrol(visitor, person.password, clock);
  const attempt = async (code: string): Promise<boolean> => {
    clock.advance(60_000);
    const browser = await atCode();
    await enter(browser, code);
    return await isSignedIn(browser);
  };
  for (let times = 0; times < 20; times += 1) expect(await attempt('000000')).toBe(false);
  const right = (): string => codeAt(secret, new Date(clock.now().getTime() + 60_000));
  expect(await attempt(right())).toBe(false);
  expect(await attempt(recoveryCodes[0] ?? '')).toBe(true);
  clock.advance(60 * 60_000);
  expect(await attempt(right())).toBe(true);
  expect(await attempt('000000')).toBe(false);
  expect(await attempt(right())).toBe(true);
});

test.each([
  ['for new recovery codes', 'POST', '/two-factor/recovery-codes', {}],
  ['to turn it off', 'DELETE', '/two-factor', {}],
  ['for a new password', 'POST', '/password', { new_password: 'Another password' }],
])('wrong codes %s count as those at the sign-in do', async (_name, method, path, more) => {
  const { secret } = await enrol(visitor, person.password, clock);
  const password = path === '/two-factor/recovery-codes' ? {} : { current_password: person.password };
  const attempt = (code: string) => {
    clock.advance(60_000);
    return visitor.ask(method, path, { ...password, ...more, code });
  };
  for (let times = 0; times < 20; times += 1) expect((await attempt('000000')).status).toBe(422);
  const right = codeAt(secret, new Date(clock.now().getTime() + 60_000));
  const { status, json } = await attempt(right);
  expect([status, json.error.fields.code]).toEqual([422, expect.stringContaining('only a recovery code')]);
});

test('the right code of one membership is no wrong one of another', async () => {
  const { secret } = await enrol(visitor, person.password, clock);
  const other = await buildTenant(api.db);
  const password = 'Password of another organisation';
  const twin = { email: person.email, password };
  const { memberId } = await buildPerson(api.db, other.organisationId, twin);
  const theirs = await enrol(await new DashboardVisitor(api).signIn(twin.email, password), password, clock);
  const hash = await hashPassword(person.password);
  await api.db.transaction((tx) => setPassword({ tx, ...act() }, memberId, hash));
  for (let times = 0; times < 20; times += 1) {
    clock.advance(60_000);
    expect((await enter(await atCode(), codeAt(secret, clock.now()))).status).toBe(303);
  }
  clock.advance(60_000);
  expect((await enter(await atCode(), codeAt(theirs.secret, clock.now()))).status).toBe(303);
});

test('turning it off is recorded for the memberships whose it was', async () => {
  const other = await buildTenant(api.db);
  const { email, password } = person;
  const { memberId } = await buildPerson(api.db, other.organisationId, {
    email,
    password: 'Another password',
  });
  const { secret } = await enrol(visitor, password, clock);
  const hash = await hashPassword(password);
  await api.db.transaction((tx) => setPassword({ tx, ...act() }, memberId, hash));
  const browser = await atCode();
  await enter(browser, codeAt(secret, clock.now()));
  clock.advance(60_000);
  const both = new DashboardVisitor(api);
  both.takeSession(browser.cookie);
  const ended = await both.ask('DELETE', '/two-factor', {
    current_password: password,
    code: codeAt(secret, clock.now()),
  });
  expect(ended.status).toBe(204);
  expect(await actions()).toContain('member.two_factor_off');
  expect(await actions(memberId)).not.toContain('member.two_factor_off');
});

describe('setting it up', () => {
  test('shows the secret as text, address and QR code; a code of it turns the second factor on', async () => {
    const started = await visitor.ask('POST', '/two-factor', { current_password: person.password });
    expect(started.status).toBe(200);
    const { secret, uri, qr } = started.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/Presswork:${encodeURIComponent(person.email)}?issuer=Presswork&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(qr).toMatch(/^<svg .*<\/svg>$/s);
    expect(await factor()).toEqual({ enabled: false, recovery_codes_left: 0 });
    const wrong = await visitor.ask('POST', '/two-factor/confirm', { code: '000000' });
    expect([...refusal(wrong), Object.keys(wrong.json.error.fields)]).toEqual([
      422,
      'VALIDATION_FAILED',
      ['code'],
    ]);
    const confirmed = await visitor.ask('POST', '/two-factor/confirm', { code: codeAt(secret, clock.now()) });
    const codes: string[] = confirmed.data.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    expect(await factor()).toEqual({ enabled: true, recovery_codes_left: 10 });
    const { rows } = await api.db.pool.query(
      `select (select json_agg(f) from second_factors f)::text || (select json_agg(r) from recovery_codes r)::text as text`,
    );
    for (const hidden of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(rows[0].text).not.toContain(hidden);
    expect(await actions()).toEqual([
      'member.add',
      'member.password',
      'sign_in.succeed',
      'sign_in.fail',
      'member.two_factor_on',
    ]);
  });

  test('needs the password, and is refused when there is one', async () => {
    const wrong = await visitor.ask('POST', '/two-factor', { current_password: 'Password of someone else' });
    expect(wrong.json.error.fields).toEqual({ current_password: 'is wrong' });
    await enrol(visitor, person.password, clock);
    const again = await visitor.ask('POST', '/two-factor', { current_password: person.password });
    expect(refusal(again)).toEqual([409, 'CONFLICT']);
    expect(refusal(await visitor.ask('POST', '/two-factor/confirm', { code: '123456' }))).toEqual([
      409,
      'CONFLICT',
    ]);
  });

  test('twice at once confirms once', async () => {
    const { data } = await visitor.ask('POST', '/two-factor', { current_password: person.password });
    const code = codeAt(data.secret, clock.now());
    const answers = await Promise.all([
      visitor.ask('POST', '/two-factor/confirm', { code }),
      visitor.ask('POST', '/two-factor/confirm', { code }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await factor()).recovery_codes_left).toBe(10);
  });
});

describe('signing in with it', () => {
  let secret: string;
  let recoveryCodes: string[];
  beforeEach(async () => {
    ({ secret, recoveryCodes } = await enrol(visitor, person.password, clock));
  });

  test('needs the code after the password, and goes on to where the person wanted to', async () => {
    const browser = await atCode('/device?user_code=BCDF-GHJK');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await actions()).not.toContain('sign_in.end');
    await browser.visit('/sign-in/code');
    const before = browser.cookie;
    const done = await enter(browser, codeAt(secret, clock.now()), '/device?user_code=BCDF-GHJK');
    expect([done.status, done.headers.get('location')]).toEqual([303, '../device?user_code=BCDF-GHJK']);
    expect(browser.cookie).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test.each([
    ['of half a minute ago', -30_000, 303],
    ['of half a minute ahead', 30_000, 303],
    ['of a minute ago', -60_000, 422],
    ['of a minute ahead', 60_000, 422],
  ])('a code %s', async (_name, offset, status) => {
    clock.advance(60_000);
    const browser = await atCode();
    const answer = await enter(browser, codeAt(secret, new Date(clock.now().getTime() + offset)));
    expect(answer.status).toBe(status);
  });

  test('a code works once, and none before it works after it', async () => {
    clock.advance(60_000);
    const [first, second, third] = [await atCode(), await atCode(), await atCode()];
    const code = codeAt(secret, clock.now());
    expect((await enter(first, code)).status).toBe(303);
    clock.advance(60_000);
    clock.advance(-60_000);
    const again = await enter(second, code);
    expect([again.status, again.html.includes('role="alert"')]).toEqual([422, true]);
    const earlier = codeAt(secret, new Date(clock.now().getTime() - 30_000));
    clock.advance(1);
    expect([422, 429]).toContain((await enter(third, earlier)).status);
    expect(await isSignedIn(third)).toBe(false);
  });

  test('a code that is entered twice at once signs one browser in', async () => {
    const [first, second] = [await atCode(), await atCode()];
    const code = codeAt(secret, clock.now());
    const statuses = (await Promise.all([enter(first, code), enter(second, code)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([303, 422]);
  });

  test('a recovery code works instead, once, also twice at once', async () => {
    const [code = '', other = ''] = recoveryCodes;
    const [first, second] = [await atCode(), await atCode()];
    const answers = await Promise.all([
      enter(first, code),
      enter(second, code.toLowerCase().replaceAll('-', ' ')),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect((await factor()).recovery_codes_left).toBe(9);
    clock.advance(60_000);
    expect((await enter(await atCode(), other)).status).toBe(303);
    expect((await factor()).recovery_codes_left).toBe(8);
  });

  test('codes have a count of their own, in which right passwords are not', async () => {
    const browser = await atCode();
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1) statuses.push((await enter(browser, '000000')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422]);
    expect((await enter(browser, codeAt(secret, clock.now()))).status).toBe(429);
    clock.advance(60_000);
    expect((await enter(browser, codeAt(secret, clock.now()))).status).toBe(303);
    expect((await actions()).filter((action) => action === 'sign_in.fail')).toHaveLength(5);
  });

  test('is awaited for ten minutes, and not after a new password', async () => {
    const late = await atCode();
    clock.advance(10 * 60_000);
    const answer = await enter(late, codeAt(secret, clock.now()));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '../sign-in?next=%2Fdashboard']);
    expect(await api.db.transaction((tx) => deleteAbandonedSignIns(tx, clock.now(), 100))).toBeGreaterThan(0);
    const stopped = await atCode();
    const hash = await hashPassword('Another password');
    await api.db.transaction((tx) => setPassword({ tx, ...act() }, person.memberId, hash));
    await enter(stopped, codeAt(secret, clock.now()));
    expect(await isSignedIn(stopped)).toBe(false);
  });

  test('a form of another browser, or of another site, is refused', async () => {
    const [mine, theirs] = [await atCode(), await atCode()];
    const code = codeAt(secret, clock.now());
    const fields = { do: 'code', code, form_token: theirs.formToken };
    expect((await mine.submit('/sign-in/code', fields)).status).toBe(403);
    const origin = { origin: 'https://evil.example' };
    expect((await mine.submit('/sign-in/code', { do: 'code', code }, origin)).status).toBe(403);
    expect(await isSignedIn(mine)).toBe(false);
  });

  test('a membership without it is not a way around it', async () => {
    const other = await buildTenant(api.db);
    const { memberId } = await buildPerson(api.db, other.organisationId, {
      email: person.email,
      password: person.password,
    });
    const browser = await atCode();
    expect(await isSignedIn(browser)).toBe(false);
    expect((await enter(browser, codeAt(secret, clock.now()))).status).toBe(303);
    expect(await actions(memberId)).toContain('sign_in.succeed');
  });
});

describe('changing it', () => {
  let secret: string;
  let recoveryCodes: string[];
  beforeEach(async () => {
    ({ secret, recoveryCodes } = await enrol(visitor, person.password, clock));
  });

  test('new recovery codes replace the old ones', async () => {
    const wrong = await visitor.ask('POST', '/two-factor/recovery-codes', { code: '000000' });
    expect(refusal(wrong)).toEqual([422, 'VALIDATION_FAILED']);
    const [old = ''] = recoveryCodes;
    const { data } = await visitor.ask('POST', '/two-factor/recovery-codes', {
      code: codeAt(secret, clock.now()),
    });
    expect(data.recovery_codes).toHaveLength(10);
    expect((await enter(await atCode(), old)).status).toBe(422);
    expect((await actions()).slice(-2)).toEqual(['member.recovery_codes', 'sign_in.fail']);
  });

  test('turning it off needs password and code; afterwards the password is enough', async () => {
    const end = (current_password: string, code: string) =>
      visitor.ask('DELETE', '/two-factor', { current_password, code });
    const code = codeAt(secret, clock.now());
    expect((await end('Password of someone else', code)).json.error.fields).toEqual({
      current_password: 'is wrong',
    });
    expect(refusal(await end(person.password, '000000'))).toEqual([422, 'VALIDATION_FAILED']);
    expect((await end(person.password, code)).status).toBe(204);
    expect(await factor()).toEqual({ enabled: false, recovery_codes_left: 0 });
    clock.advance(60_000);
    await new DashboardVisitor(api).signIn(person.email, person.password);
    expect(await actions()).toContain('member.two_factor_off');
  });

  test('the operator removes one that was lost', async () => {
    await api.db.transaction((tx) => removeSecondFactor({ tx, ...act() }, person.memberId));
    await new DashboardVisitor(api).signIn(person.email, person.password);
    expect((await factor()).enabled).toBe(false);
    await expect(
      api.db.transaction((tx) => removeSecondFactor({ tx, ...act() }, crypto.randomUUID())),
    ).rejects.toThrow('no such member');
  });
});
