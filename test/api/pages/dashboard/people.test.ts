import { buildMember } from '../../../support/builders.ts';
import { DashboardVisitor } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;

beforeAll(async () => {
  stack = await startSignInStack();
});
afterAll(() => stack.api.close());

test('the people of an organisation are named to its members, without those who left and without addresses', async () => {
  const { api } = stack;
  const { person, tenant } = await stack.nextCase();
  const [, other] = [await stack.nextCase(), await stack.nextCase()];
  const author = await buildMember(api.db, tenant.organisationId, 'author');
  const left = await buildMember(api.db, tenant.organisationId, 'author');
  await api.db.pool.query('update members set removed_at = now() where id = $1', [left]);
  const visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
  const { status, data } = await visitor.ask('GET', `/sites/${tenant.siteId}/people`);
  expect(status).toBe(200);
  const { people } = data as { people: { id: string; name: string }[] };
  expect(people.map(({ id }) => id)).toEqual(expect.arrayContaining([author]));
  expect(people.map(({ id }) => id)).not.toContain(left);
  expect(people.filter(({ name }) => name.includes('@'))).toEqual([]);
  expect((await visitor.ask('GET', `/sites/${other.tenant.siteId}/people`)).status).toBe(404);
});
