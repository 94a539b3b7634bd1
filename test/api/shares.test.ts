import type pg from 'pg';
import { apiTimeouts } from '../../db/timeouts.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildArticle, buildKey, buildPerson, buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { DashboardVisitor } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

/** One Site's locks and its share of the connections (docs/decisions/0135). */
let noisy: Tenant;
let quiet: Tenant;
let blocker: pg.PoolClient;

// More patient, so that others get through on a busy machine while a Site waits for its locks.
const timeouts = { ...apiTimeouts, lock: 20_000, statement: 24_000, transaction: 25_000 };
const api = await useApi({}, { ownDatabase: 'all connections of the pool are taken', session: { timeouts } });
beforeAll(async () => {
  [noisy, quiet] = await Promise.all([buildTenant(api.db), buildTenant(api.db)]);
});
beforeEach(async () => {
  blocker = await api.db.pool.connect();
  await blocker.query('begin');
});
afterEach(async () => {
  await blocker.query('rollback');
  blocker.release();
});

const call = (
  key: string,
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey: string | true = true,
): Promise<Answer> => api.request(method, path, { key, body, idempotencyKey });

const waitingForLocks = async (): Promise<number> => {
  const { rowCount } = await api.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

/** Ten creates, changes and reads of the other Site, one after another. */
async function workOfQuiet(): Promise<void> {
  const done = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await call(quiet.secretKey, method, path, body);
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
  for (let round = 0; round < 10; round += 1) {
    const { data } = await done('POST', '/articles', { title: `Quiet ${round}`, content: 'Text.' });
    await done('PATCH', `/articles/${data.id}`, { title: 'Changed' });
    await done('POST', `/articles/${data.id}/publish`);
    await done('GET', `/articles/${data.id}`);
    await done('GET', '/articles?limit=5');
  }
}

test('a hundred writes of a Site that wait for its own lock delay neither another Site nor its own reads', async () => {
  const category = await buildTerm(api, noisy.secretKey, 'categories');
  const article = await buildArticle(api, noisy.secretKey, { title: 'Its own' });

  await blocker.query('select from categories where id = $1 for update', [category.id]);
  const { secret: another } = await buildKey(api.db, noisy.siteId, noisy.memberId);
  // Some wait for the category, and others for the slug that those use.
  const writes = Array.from({ length: 100 }, (_, index) =>
    call(index % 2 ? another : noisy.secretKey, 'POST', '/articles', {
      title: 'Waiting',
      slug: `slug-${index % 4}`,
      ...(index % 4 < 2 ? { category_id: category.id } : {}),
    }),
  );
  await eventually('they wait', async () => (await waitingForLocks()) > 0);
  await workOfQuiet();
  expect(await waitingForLocks()).toBeGreaterThan(0);
  expect(await waitingForLocks()).toBeLessThanOrEqual(4);
  const own = await call(noisy.secretKey, 'GET', `/articles/${article.id}`);
  expect(own.status).toBe(200);

  await blocker.query('rollback');
  const answers = await Promise.all(writes);
  for (const { status } of answers) expect([201, 409, 503]).toContain(status);
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(4);
});

test('waiting requests are limited: the others are refused at once, and nothing of them is done', async () => {
  const category = await buildTerm(api, noisy.secretKey, 'categories');
  await blocker.query('select from categories where id = $1 for update', [category.id]);
  const keys = await Promise.all(
    Array.from({ length: 3 }, () => buildKey(api.db, noisy.siteId, noisy.memberId)),
  );
  const writes = Array.from({ length: 300 }, (_, index) =>
    call((keys[index % 3] as { secret: string }).secret, 'PATCH', `/categories/${category.id}`, {
      name: `Changed ${index}`,
    }),
  );
  const first = await Promise.race(writes);
  expect([first.status, first.json.error.code]).toEqual([503, 'MAINTENANCE']);
  expect(first.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  const answers = await Promise.all(writes);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  await blocker.query('rollback');
  const { data } = await call(noisy.secretKey, 'GET', `/categories/${category.id}`);
  expect(data.name).toBe(category.name);
});

test.each([
  ['what a key has scheduled', 'keys/KEY/schedules'],
  ['what a member has scheduled', 'members/KEY/schedules'],
  ['whether there is a pending edit', 'articles/KEY/pending-edit'],
  ['pending edits with a time', 'scheduled-edits'],
])('a person’s reads of %s take no more connections than their Site has', async (_what, path) => {
  const person = await buildPerson(api.db, noisy.organisationId, { role: 'owner' });
  const visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
  await blocker.query('lock table pending_edits in access exclusive mode');
  const reads = Array.from({ length: 40 }, () =>
    visitor.ask('GET', `/sites/${noisy.siteId}/${path.replace('KEY', noisy.siteId)}`),
  );
  await eventually('they wait', async () => (await waitingForLocks()) > 0);
  for (let round = 0; round < 10; round += 1)
    expect((await call(quiet.secretKey, 'GET', '/site')).status).toBe(200);
  expect(await waitingForLocks()).toBeLessThanOrEqual(4);
  await blocker.query('rollback');
  for (const { status } of await Promise.all(reads)) expect([200, 503]).toContain(status);
});
