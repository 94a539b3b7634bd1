import type pg from 'pg';
import { useApi } from '../../support/api.ts';
import { buildArticle, buildKey, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';

/** A search that takes too long costs its own Site time, and others nothing (docs/decisions/0135). */
const api = await useApi({}, { ownDatabase: 'it locks tables', session: { poolSize: 16 } });
let noisy: Tenant;
let quiet: Tenant;
let blocker: pg.PoolClient;

beforeEach(async () => {
  [noisy, quiet] = await Promise.all([buildTenant(api.db), buildTenant(api.db)]);
  blocker = await api.db.pool.connect();
  await blocker.query('begin');
});
afterEach(async () => {
  await blocker.query('rollback');
  blocker.release();
});

/** Searches wait for the table, as for an answer that takes long. */
const slowDown = (table: string) => blocker.query(`lock table ${table} in access exclusive mode`);
const list = (path: string, key: string) => api.request('GET', path, { key });
const running = async (): Promise<number> => {
  const { rowCount } = await api.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

test.each([
  ['/articles?q=slow', 'article_search'],
  ['/articles?q=slow&fields=content', 'article_search'],
  ['/media?q=slow', 'media_assets'],
  ['/content-plan?q=slow', 'plan_items'],
])('GET %s is 503 when its second is over', async (path, table) => {
  await buildArticle(api, noisy.secretKey, { title: 'Noisy' });
  await slowDown(table);
  const answer = await list(path, noisy.secretKey);
  expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
  expect(answer.json.error.message).toMatch(/^q: .*second/);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  await eventually('the server has aborted it', async () => (await running()) === 0);
});

test('many searches with a publishable key run four at a time, and all other reads are answered', async () => {
  await buildArticle(api, quiet.secretKey, { title: 'Quiet' });
  const { secret } = await buildKey(api.db, noisy.siteId, noisy.memberId, { kind: 'publishable' });
  await slowDown('article_search');
  const left = { count: 24 };
  const searches = Array.from({ length: left.count }, () =>
    list('/articles?q=slow', secret).finally(() => (left.count -= 1)),
  );
  await eventually('they run', async () => (await running()) === 4);
  while (left.count > 0) {
    expect(await running()).toBeLessThanOrEqual(4);
    expect((await list('/articles', quiet.secretKey)).data.items).toHaveLength(1);
    expect((await list('/articles?slug=quiet', quiet.secretKey)).data.items).toHaveLength(1);
    expect((await list('/site', noisy.secretKey)).status).toBe(200);
  }
  expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([503]));
});
