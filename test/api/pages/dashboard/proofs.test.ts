import type { TestApi } from '../../../support/api.ts';
import { ask, buildAgent } from '../../../support/approvals.ts';
import { buildArticle } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, refusal } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const MINUTE = 60_000;
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
  await visitor.open(tenant.siteId);
});
afterAll(() => api.close());

const key = { name: 'A program', kind: 'secret', scopes: ['articles:read'] };
const call = (method: string, path: string, body?: unknown) =>
  visitor.call(tenant.siteId, method, path, body, {
    'idempotency-key': `${method} ${path} ${Math.random()}`,
  });
const create = () => call('POST', '/keys', key);
const prove = (body: object) => visitor.ask('POST', '/prove', body);

test('ten minutes after the sign-in, a key is made after the password alone', async () => {
  expect((await create()).status).toBe(201);
  clock.advance(10 * MINUTE);
  const refused = await create();
  expect([...refusal(refused), refused.headers.get('presswork-proof')]).toEqual([
    403,
    'FORBIDDEN',
    'required',
  ]);
  expect((await prove({ current_password: 'Password of someone else' })).status).toBe(422);
  expect((await create()).status).toBe(403);
  expect((await prove({ current_password: person.password })).status).toBe(204);
  expect((await create()).status).toBe(201);
  clock.advance(10 * MINUTE);
  expect((await create()).status).toBe(403);
});

test('the same goes for secrets of keys, devices and the decisions about agents, and for nothing else', async () => {
  const { data: made } = await create();
  const { secret } = await buildAgent(api, tenant);
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Tea' });
  const request = { method: 'DELETE', path: `/articles/${id}`, options: {} };
  const approval = await ask(api, secret, request);
  clock.advance(10 * MINUTE);
  for (const path of [
    `/keys/${made.id}/rotate`,
    `/approvals/${approval}/approve`,
    `/approvals/${approval}/deny`,
    '/auth/device/approve',
  ])
    expect([path, (await call('POST', path, {})).headers.get('presswork-proof')]).toEqual([path, 'required']);
  expect((await call('POST', '/tags', { name: 'Tea' })).status).toBe(201);
  expect((await call('DELETE', `/keys/${made.id}`)).status).toBe(204);
  await prove({ current_password: person.password });
  expect((await call('POST', `/approvals/${approval}/approve`)).status).toBe(200);
});

test('who has no password has nothing to prove it with', async () => {
  await api.db.pool.query('update members set password_hash = null where id = $1', [person.memberId]);
  clock.advance(10 * MINUTE);
  expect((await create()).status).toBe(201);
});

test('wrong proofs are limited, and a proof is for its session alone', async () => {
  const other = await new DashboardVisitor(api).signIn(person.email, person.password);
  clock.advance(10 * MINUTE);
  const statuses = [];
  for (let tries = 0; tries < 6; tries += 1)
    statuses.push((await prove({ current_password: 'Password of someone else' })).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  expect((await other.ask('POST', '/prove', { current_password: person.password })).status).toBe(204);
  expect((await create()).status).toBe(403);
});
