import { buildArticle, buildPublished, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestApi } from '../../../support/api.ts';
import { DashboardVisitor } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let tenant: Tenant;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
beforeEach(async () => {
  const { person, ...next } = await stack.nextCase();
  ({ tenant } = next);
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const ask = (path: string, siteId = tenant.siteId) => visitor.ask('GET', `/sites/${siteId}${path}`);

/** A published article with a pending edit. */
async function edited(changes: object, at?: string, of = tenant): Promise<string> {
  const key = of.secretKey;
  const { id } = await buildPublished(api, key, { title: 'Live' });
  await api.request('PATCH', `/articles/${id}/pending`, { key, body: changes });
  const body = { scheduled_at: at };
  if (at !== undefined) await api.request('POST', `/articles/${id}/pending/schedule`, { key, body });
  return id;
}

test('whether an article has a pending edit is said, in this Site only', async () => {
  const other = await buildTenant(api.db);
  const [id, foreign] = [await edited({ title: 'New' }), await edited({ title: 'New' }, undefined, other)];
  const { id: draft } = await buildArticle(api, tenant.secretKey);
  const answers = await Promise.all(
    [id, draft, foreign].map((each) => ask(`/articles/${each}/pending-edit`)),
  );
  expect(answers.map(({ status, data }) => [status, data])).toEqual([
    [200, { exists: true }],
    [200, { exists: false }],
    [200, { exists: false }],
  ]);
  expect((await ask(`/articles/${foreign}/pending-edit`, other.siteId)).status).toBe(404);
});

test('scheduled edits are listed by their time, with the titles that they give', async () => {
  const other = await buildTenant(api.db);
  await edited({ title: 'Of others' }, '2040-01-01T00:00:00Z', other);
  await edited({ title: 'Without a time' });
  const later = await edited({ excerpt: 'Only this' }, '2040-01-02T00:00:00Z');
  const sooner = await edited({ title: 'New' }, '2040-01-01T00:00:00Z');
  expect((await ask('/scheduled-edits')).data).toEqual({
    edits: [
      { article_id: sooner, title: 'New', scheduled_at: '2040-01-01T00:00:00.000Z' },
      { article_id: later, title: 'Live', scheduled_at: '2040-01-02T00:00:00.000Z' },
    ],
    is_cut: false,
  });
  expect((await ask('/scheduled-edits', other.siteId)).status).toBe(404);
});
