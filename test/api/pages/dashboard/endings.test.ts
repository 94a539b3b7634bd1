import { operator } from '../../../../domain/audit/record.ts';
import { removeMember } from '../../../../domain/organisations/organisations.ts';
import type { TestApi } from '../../../support/api.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, liveKeys, refusal } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const HOUR = 3_600_000;
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
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const act = () => ({ actor: operator, now: clock.now() });
const live = (siteId = tenant.siteId) => liveKeys(api, siteId, clock.now());

describe('the key ends', () => {
  beforeEach(() => visitor.open(tenant.siteId));

  test('after 12 hours; opening makes the next one while the session lives', async () => {
    clock.advance(12 * HOUR - 1);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(200);
    clock.advance(1);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
    // The calls were uses of the session.
    expect((await visitor.open(tenant.siteId)).status).toBe(204);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(200);
  });

  test('with the session, 12 hours after a person did something, whatever an open page asks by itself', async () => {
    const unattended = { 'x-presswork-unattended': '1' };
    for (let hours = 1; hours < 12; hours += 1) {
      clock.advance(HOUR);
      expect((await visitor.call(tenant.siteId, 'GET', '/site', undefined, unattended)).status).toBe(200);
      expect((await visitor.ask('GET', '/account', undefined, unattended)).status).toBe(200);
    }
    clock.advance(HOUR);
    expect((await visitor.call(tenant.siteId, 'GET', '/site', undefined, unattended)).status).toBe(401);
    expect((await visitor.ask('POST', `/sites/${tenant.siteId}/open`, undefined, unattended)).status).toBe(
      401,
    );
  });

  test('with the session, also when it was opened again by a page that nobody attends', async () => {
    const unattended = { 'x-presswork-unattended': '1' };
    clock.advance(HOUR);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(200);
    clock.advance(11 * HOUR);
    const opened = await visitor.ask('POST', `/sites/${tenant.siteId}/open`, undefined, unattended);
    expect(opened.status).toBe(204);
    expect((await visitor.call(tenant.siteId, 'GET', '/site', undefined, unattended)).status).toBe(200);
    clock.advance(HOUR);
    expect((await visitor.ask('GET', '/account', undefined, unattended)).status).toBe(401);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
  });

  test('with the session, by signing out: the old cookies are of no use', async () => {
    const before = [...visitor.cookies];
    const out = await visitor.ask('POST', '/sign-out');
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
      204,
      expect.stringMatching(/^presswork_session=;.*Max-Age=0/),
    ]);
    visitor.cookies = before;
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
    expect(refusal(await visitor.ask('GET', '/account'))).toEqual([401, 'INVALID_API_KEY']);
    expect((await visitor.open(tenant.siteId)).status).toBe(401);
    expect(await live()).toEqual([]);
    const { rows } = await api.db.pool.query(`select action from audit_log where actor_id = $1 order by id`, [
      person.memberId,
    ]);
    expect(rows.map(({ action }) => action)).toEqual([
      'sign_in.succeed',
      'key.create',
      'key.revoke',
      'sign_in.end',
    ]);
  });

  test('with the session, whatever is under way: no key is left behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const by = await new DashboardVisitor(api).signIn(person.email, person.password);
      const other = new DashboardVisitor(api);
      other.cookies = [...by.cookies];
      const answers = await Promise.all([
        by.open(tenant.siteId),
        other.ask('POST', '/sign-out'),
        visitor.call(tenant.siteId, 'GET', '/articles'),
      ]);
      expect([204, 401]).toContain(answers[0]?.status);
      expect(answers[1]?.status).toBe(204);
      expect(answers[2]?.status).toBe(200);
      expect((await by.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
      clock.advance(60_000);
    }
    expect(await live()).toHaveLength(1);
  });

  test('with the membership', async () => {
    await api.db.transaction((tx) => removeMember({ tx, ...act() }, person.memberId));
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(403);
    expect((await visitor.open(tenant.siteId)).status).toBe(401);
  });

  test('in seven days with the session, however much it is used', async () => {
    const began = clock.now().getTime();
    for (let used = 0; used < 16; used += 1) {
      clock.freeze(new Date(began + used * 11 * HOUR));
      expect((await visitor.open(tenant.siteId)).status).toBe(204);
    }
    visitor.cookies = visitor.cookies.filter(({ path }) => path === '/');
    await visitor.open(tenant.siteId);
    const [{ expires_at: end }] = (await live()).slice(-1);
    expect(end.getTime()).toBe(began + 7 * 24 * HOUR);
    clock.freeze(new Date(began + 7 * 24 * HOUR - 1));
    expect((await visitor.ask('GET', '/account')).status).toBe(200);
    clock.freeze(new Date(began + 7 * 24 * HOUR));
    expect((await visitor.ask('GET', '/account')).status).toBe(401);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
  });
});
