import { operator } from '../../../../domain/audit/record.ts';
import { hashPassword, setPassword } from '../../../../domain/sign-in/passwords.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildPerson } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, refusal } from '../../../support/dashboard.ts';
import { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const HOUR = 3_600_000;
const NEW = 'Another long password';
let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let owner: Person;
let editor: Person;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person: owner } = await stack.nextCase());
  editor = await buildPerson(api.db, tenant.organisationId, { role: 'editor' });
});
afterAll(() => api.close());

const signIn = (email: string, password: string) => new DashboardVisitor(api).signIn(email, password);

/** The owner makes a link, and somebody sets the editor's password by it. */
async function reset(): Promise<DashboardVisitor> {
  const by = await signIn(owner.email, owner.password);
  const { data } = await by.ask('POST', `/${tenant.siteId}/members/${editor.memberId}/reset-link`);
  const page = new PageVisitor(api);
  const path = new URL(data.url).pathname;
  await page.visit(path);
  await page.submit(path, { do: 'set', new_password: NEW, repeated: NEW });
  return signIn(editor.email, NEW);
}

test('a person is told at the next sign-ins what others did to their sign-in, and not what they did themselves', async () => {
  const visitor = await reset();
  await visitor.ask('POST', '/password', { current_password: NEW, new_password: `${NEW} 2` });
  const { notices } = (await visitor.ask('GET', '/account')).data.account;
  expect(notices).toEqual([
    {
      id: expect.any(String),
      at: clock.now().toISOString(),
      action: 'member.reset_link',
      by: owner.email,
    },
  ]);
  const others = (await (await signIn(owner.email, owner.password)).ask('GET', '/account')).data.account;
  expect(others.notices).toEqual([]);
  clock.advance(31 * 24 * HOUR);
  const later = await signIn(editor.email, `${NEW} 2`);
  expect((await later.ask('GET', '/account')).data.account.notices).toEqual([]);
});

test('whoever has reset a password sets up no second factor for a day, so that the person notices first', async () => {
  const visitor = await reset();
  const start = () => visitor.ask('POST', '/two-factor', { current_password: NEW });
  expect(refusal(await start())).toEqual([409, 'CONFLICT']);
  clock.advance(11 * HOUR);
  expect(refusal(await start())).toEqual([409, 'CONFLICT']);
  clock.advance(11 * HOUR);
  await visitor.ask('GET', '/account');
  clock.advance(2 * HOUR);
  const again = await signIn(editor.email, NEW);
  expect((await again.ask('POST', '/two-factor', { current_password: NEW })).status).toBe(200);
});

test('who gets a first password sets up a second factor at once', async () => {
  await api.db.pool.query('update members set password_hash = null where id = $1', [editor.memberId]);
  const hash = await hashPassword(NEW);
  await api.db.transaction((tx) =>
    setPassword({ tx, actor: operator, now: clock.now() }, editor.memberId, hash),
  );
  const visitor = await signIn(editor.email, NEW);
  expect((await visitor.ask('POST', '/two-factor', { current_password: NEW })).status).toBe(200);
});
