import type { TestApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildMember, buildPublished, buildSite } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { DashboardVisitor, refusal } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let tenant: Tenant;
let person: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
beforeEach(async () => {
  ({ tenant, person } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const AT = '2099-01-01T00:00:00.000Z';
const send = async (key: string, method: string, path: string, body?: object) => {
  const answer = await api.request(method, path, { key, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.data;
};
const schedule = async (key: string, title: string): Promise<string> => {
  const { id } = await buildArticle(api, key, { title, content: 'Text' });
  await send(key, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: AT });
  return id;
};
const left = async (of: 'keys' | 'members', id: string) =>
  (await visitor.ask('GET', `/sites/${tenant.siteId}/${of}/${id}/schedules`)).data;

test('what a key has scheduled last, and is still to come, is listed before it is revoked', async () => {
  const memberId = await buildMember(api.db, tenant.organisationId, 'editor');
  const key = await buildKey(api.db, tenant.siteId, memberId);
  const article = await schedule(key.secret, 'Mine');
  const moved = await schedule(key.secret, 'Moved by another');
  const cancelled = await schedule(key.secret, 'Cancelled');
  await schedule(tenant.secretKey, 'Theirs');
  await send(tenant.secretKey, 'POST', `/articles/${moved}/schedule`, {
    scheduled_publish_at: '2098-01-01T00:00:00Z',
  });
  await send(key.secret, 'POST', `/articles/${cancelled}/cancel-schedule`);
  const edited = (await buildPublished(api, key.secret, { title: 'Published' })).id;
  await send(key.secret, 'PATCH', `/articles/${edited}/pending`, { title: 'Edited' });
  await send(key.secret, 'POST', `/articles/${edited}/pending/schedule`, { scheduled_at: AT });
  const { schedules, is_cut: isCut } = await left('keys', key.id);
  const site = { id: tenant.siteId, name: expect.any(String) };
  const expected = [
    { article_id: article, kind: 'article', title: 'Mine', at: AT, site },
    { article_id: edited, kind: 'pending_edit', title: 'Edited', at: AT, site },
  ];
  expect(schedules).toHaveLength(2);
  expect(schedules).toEqual(expect.arrayContaining(expected));
  expect(isCut).toBe(false);

  const second = await buildSite(api.db, tenant.organisationId);
  const elsewhere = await buildKey(api.db, second, memberId);
  await schedule(elsewhere.secret, 'Elsewhere');
  const all = (await left('members', memberId)).schedules;
  expect(all.map(({ title }: { title: string }) => title).toSorted()).toEqual([
    'Edited',
    'Elsewhere',
    'Mine',
  ]);
});

test('only those who manage keys or the team see it, each of their own organisation', async () => {
  const { tenant: other } = await stack.nextCase();
  const key = await buildKey(api.db, other.siteId, other.memberId);
  await schedule(key.secret, 'Foreign');
  ({ tenant, person } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
  expect((await left('keys', key.id)).schedules).toEqual([]);
  expect((await left('members', other.memberId)).schedules).toEqual([]);
  await api.db.pool.query(`update members set role = 'editor' where id = $1`, [person.memberId]);
  for (const path of ['keys', 'members']) {
    const answer = await visitor.ask('GET', `/sites/${tenant.siteId}/${path}/${person.memberId}/schedules`);
    expect(refusal(answer)).toEqual([403, 'FORBIDDEN']);
  }
});
