import type { TestApi } from '../../../support/api.ts';
import { buildPerson, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, liveKeys, refusal } from '../../../support/dashboard.ts';
import { codeAt, enrol } from '../../../support/second-factor.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const NEW = 'A new long password';
let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let person: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person } = await stack.nextCase());
  visitor = await signIn();
});
afterAll(() => api.close());

const signIn = (browser = 'Mozilla/5.0 (test)'): Promise<DashboardVisitor> =>
  new DashboardVisitor(api, { 'user-agent': browser }).signIn(person.email, person.password);
const change = (body: object, by = visitor) => by.ask('POST', '/password', body);
const sessions = async (by = visitor) => (await by.ask('GET', '/sessions')).data.sessions;
const live = () => liveKeys(api, tenant.siteId, clock.now());

describe('changing one’s own password', () => {
  test('keeps this session, and ends every other one with its keys', async () => {
    const other = await signIn();
    await Promise.all([visitor.open(tenant.siteId), other.open(tenant.siteId)]);
    const answer = await change({ current_password: person.password, new_password: NEW });
    expect(answer.status).toBe(204);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(200);
    expect((await other.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
    expect((await other.ask('GET', '/account')).status).toBe(401);
    expect(await live()).toHaveLength(1);
    clock.advance(60_000);
    await new DashboardVisitor(api).signIn(person.email, NEW);
    await expect(signIn()).rejects.toThrow('422');
  });

  test('needs the current one, and a good new one, and says what is wrong at the field', async () => {
    const fieldsOf = async (body: object) => (await change(body)).json.error.fields;
    expect(await fieldsOf({ current_password: 'Password of someone else', new_password: NEW })).toEqual({
      current_password: 'is wrong',
    });
    expect(await fieldsOf({ current_password: person.password, new_password: 'short' })).toEqual({
      new_password: 'must have at least 12 characters',
    });
    expect(await fieldsOf({ current_password: person.password, new_password: 'QWERTY123456' })).toEqual({
      new_password:
        'is known from leaked passwords; choose another one, such as three or four unrelated words',
    });
    expect(Object.keys(await fieldsOf({}))).toEqual(['current_password', 'new_password']);
    const { rows } = await api.db.pool.query(
      `select action from audit_log where target_id = $1 order by id desc limit 1`,
      [person.memberId],
    );
    expect(rows[0].action).toBe('sign_in.fail');
  });

  test('is limited: five wrong passwords of a session in a minute', async () => {
    const wrong = { current_password: 'Password of someone else', new_password: NEW };
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1) statuses.push((await change(wrong)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422]);
    expect((await change({ current_password: person.password, new_password: NEW })).status).toBe(429);
  });

  test('is not limited by new passwords that are refused', async () => {
    const right = { current_password: person.password };
    for (let tries = 0; tries < 6; tries += 1)
      expect((await change({ ...right, new_password: 'password1234' })).status).toBe(422);
    expect((await change({ ...right, new_password: NEW })).status).toBe(204);
  });

  test('twice at once has one winner', async () => {
    const other = await signIn();
    const answers = await Promise.all([
      change({ current_password: person.password, new_password: `${NEW} 1` }),
      change({ current_password: person.password, new_password: `${NEW} 2` }, other),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    clock.advance(60_000);
    await new DashboardVisitor(api).signIn(person.email, `${NEW} ${statuses.indexOf(204) + 1}`);
  });

  test('needs a code of the second factor, if there is one', async () => {
    const { secret } = await enrol(visitor, person.password, clock);
    const without = await change({ current_password: person.password, new_password: NEW });
    expect(Object.keys(without.json.error.fields)).toEqual(['code']);
    const code = codeAt(secret, clock.now());
    const done = await change({ current_password: person.password, new_password: NEW, code });
    expect(done.status).toBe(204);
  });

  test('changes it in every organisation that this session is for', async () => {
    const elsewhere = await buildTenant(api.db);
    await buildPerson(api.db, elsewhere.organisationId, { email: person.email, password: person.password });
    const both = await signIn();
    expect((await change({ current_password: person.password, new_password: NEW }, both)).status).toBe(204);
    const after = await new DashboardVisitor(api).signIn(person.email, NEW);
    expect((await after.ask('GET', '/account')).data.account.memberships).toHaveLength(2);
  });
});

describe('one’s own sessions', () => {
  test('are listed with their browsers, the last used first', async () => {
    clock.advance(60_000);
    await signIn(`Mozilla/5.0 ${'x'.repeat(500)}`);
    clock.advance(60_000);
    const [own, other, ...more] = await sessions();
    expect(more).toEqual([]);
    expect(own).toEqual({
      id: expect.any(String),
      created_at: new Date(clock.now().getTime() - 120_000).toISOString(),
      last_used_at: clock.now().toISOString(),
      ends_at: new Date(clock.now().getTime() + 12 * 3_600_000).toISOString(),
      browser: 'Mozilla/5.0 (test)',
      current: true,
    });
    expect([other.current, other.browser.length]).toEqual([false, 300]);
  });

  test('end one by one, with their keys; others of the organisation are not among them', async () => {
    const other = await signIn();
    await other.open(tenant.siteId);
    const colleague = await buildPerson(api.db, tenant.organisationId);
    const theirs = await new DashboardVisitor(api).signIn(colleague.email, colleague.password);
    const { id } = (await sessions()).find(({ current }: { current: boolean }) => !current);
    const [foreign] = (await sessions(theirs)) as { id: string }[];
    expect(refusal(await visitor.ask('DELETE', `/sessions/${foreign?.id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await visitor.ask('DELETE', `/sessions/${id}`)).status).toBe(204);
    expect(refusal(await visitor.ask('DELETE', `/sessions/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await other.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
    expect((await theirs.ask('GET', '/account')).status).toBe(200);
    expect(await live()).toEqual([]);
  });

  test('end all but this one; what opens a Site meanwhile leaves no key behind', async () => {
    const others = [await signIn(), await signIn()];
    const [ended] = await Promise.all([
      visitor.ask('POST', '/sessions/end-others'),
      ...others.map((each) => each.open(tenant.siteId)),
    ]);
    expect(ended?.status).toBe(204);
    expect(await live()).toEqual([]);
    expect(await sessions()).toHaveLength(1);
    for (const each of others) expect((await each.ask('GET', '/account')).status).toBe(401);
  });
});
