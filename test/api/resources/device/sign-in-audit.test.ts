import type { TestApi } from '../../../support/api.ts';
import { buildOrganisation, buildPerson } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
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
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person, visitor } = await stack.nextCase());
});
afterAll(() => api.close());

const rows = async (): Promise<any[]> =>
  (
    await api.db.pool.query(
      `select action, actor_kind, actor_id, actor_name, target_type, target_id, organisation_id, site_id, details, request_id
       from audit_log where action like 'sign_in.%' and organisation_id = $1 order by at, id`,
      [tenant.organisationId],
    )
  ).rows;
const count = async (): Promise<number> =>
  Number(
    (await api.db.pool.query(`select count(*) from audit_log where action like 'sign_in.%'`)).rows[0].count,
  );

test('sign-ins, failed ones and sign-outs are in the log of the person’s organisation, with their Request-Ids', async () => {
  const failed = await visitor.signIn(person.email, 'Password of someone else');
  const done = await visitor.signIn(person.email, person.password);
  await visitor.get();
  const out = await visitor.post({ do: 'sign-out' });
  const who = {
    actor_kind: 'person',
    actor_id: person.memberId,
    actor_name: person.email,
    target_type: 'member',
    target_id: person.memberId,
    organisation_id: tenant.organisationId,
    site_id: null,
    details: { client_address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$|^::1$/) },
  };
  expect(await rows()).toEqual([
    { action: 'sign_in.fail', ...who, request_id: failed.headers.get('request-id') },
    { action: 'sign_in.succeed', ...who, request_id: done.headers.get('request-id') },
    { action: 'sign_in.end', ...who, details: {}, request_id: out.headers.get('request-id') },
  ]);
  const shown = await api.request('GET', `/audit-log?actor_id=${person.memberId}`, { key: tenant.secretKey });
  expect(shown.data.items.map(({ action }: { action: string }) => action)).toEqual([
    'sign_in.end',
    'sign_in.succeed',
    'sign_in.fail',
  ]);
});

test('a member of several organisations has a row in each one that the password matches', async () => {
  const other = await buildOrganisation(api.db);
  await buildPerson(api.db, other, { email: person.email, password: person.password });
  const before = await count();
  await visitor.signIn(person.email.toUpperCase(), person.password);
  expect([await count(), (await rows()).length]).toEqual([before + 2, 1]);
});

test('an unknown address leaves no row, nor does a second sign-out', async () => {
  const before = await count();
  expect((await visitor.signIn('nobody@example.com', person.password)).status).toBe(422);
  expect(await count()).toBe(before);
  await visitor.signIn(person.email, person.password);
  await visitor.get();
  const [one, other] = [visitor, new PageVisitor(api)];
  other.cookie = one.cookie;
  other.formToken = one.formToken;
  await Promise.all([one, other].map((each) => each.post({ do: 'sign-out' })));
  expect((await rows()).map(({ action }) => action)).toEqual(['sign_in.succeed', 'sign_in.end']);
});

test('a stranger cannot fill the log: it stores 50 failures of a member in 24 hours', async () => {
  const fail = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      clock.advance(60_000);
      expect((await visitor.signIn(person.email, 'Password of someone else')).status).toBe(422);
    }
  };
  await fail(53);
  expect(await rows()).toHaveLength(50);
  clock.advance(24 * HOUR);
  await fail(1);
  expect(await rows()).toHaveLength(51);
});
