import type { TestApi } from '../../../support/api.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, refusal } from '../../../support/dashboard.ts';
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

describe('what is asked beside the API', () => {
  test('the account has the person, the session, and what they may open', async () => {
    const { status, data, headers } = await visitor.ask('GET', '/account');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { rows } = await api.db.pool.query(
      'select o.name, s.name as site, s.domain from organisations o join sites s on s.organisation_id = o.id where o.id = $1',
      [tenant.organisationId],
    );
    expect(data.account).toEqual({
      email: person.email,
      mails: false,
      two_factor: { enabled: false, recovery_codes_left: 0 },
      session: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: clock.now().toISOString(),
        ends_at: new Date(clock.now().getTime() + 12 * HOUR).toISOString(),
      },
      memberships: [
        {
          member_id: person.memberId,
          role: 'owner',
          organisation: { id: tenant.organisationId, name: rows[0].name },
          sites: [{ id: tenant.siteId, name: rows[0].site, domain: rows[0].domain }],
        },
      ],
      notices: [],
    });
  });

  test('unknown paths and other methods are refused, and bodies are read strictly', async () => {
    expect(refusal(await visitor.ask('GET', '/nothing'))).toEqual([404, 'NOT_FOUND']);
    const put = await visitor.ask('PUT', '/account');
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET']);
    expect(refusal(await visitor.ask('POST', '/sign-out', { x: 1 }))).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('a stranger is told to sign in', async () => {
    const stranger = new DashboardVisitor(api);
    expect(refusal(await stranger.ask('GET', '/account'))).toEqual([401, 'INVALID_API_KEY']);
    expect(refusal(await stranger.open(tenant.siteId))).toEqual([401, 'INVALID_API_KEY']);
  });
});
