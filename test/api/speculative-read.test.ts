import { useApi } from '../support/api.ts';
import { buildArticle, buildKey, buildTenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import type { Tenant } from '../support/builders.ts';

/** A GET reads while its key is being checked (docs/decisions/0025). */
const clock = new TestClock();
let tenant: Tenant;
let article: string;

const api = await useApi({ clock });
beforeAll(async () => {
  tenant = await buildTenant(api.db);
  article = `/articles/${(await buildArticle(api, tenant.secretKey)).id}`;
});
beforeEach(() => clock.advance(60_000));

const waiting = async (table: string): Promise<boolean> => {
  const { rowCount } = await api.db.pool.query(
    `select from pg_locks where relation = $1::regclass and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    [table],
  );
  return (rowCount ?? 0) > 0;
};

/** An answer may come before a read that it discards has ended. */
const discardedReadsEnd = (): Promise<void> =>
  eventually('discarded reads have ended', async () => {
    const { rowCount } = await api.db.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    );
    return rowCount === 0;
  });

/** Blocks the counting of requests and reads of articles while `work` runs. */
async function holdingUp(work: () => Promise<unknown>): Promise<void> {
  await discardedReadsEnd();
  const client = await api.db.pool.connect();
  await client.query('begin');
  await client.query('lock table rate_limit_counters, articles in access exclusive mode');
  try {
    await work();
  } finally {
    await client.query('commit');
    client.release();
  }
}

/** The status of a blocked read, after it has waited for its key and, if `articleToo`, for the article. */
async function statusOfHeldUp(key: string, articleToo: boolean): Promise<number | undefined> {
  let answer: ReturnType<typeof api.request> | undefined;
  await holdingUp(async () => {
    answer = api.request('GET', article, { key });
    await eventually('the key is waited for', () => waiting('rate_limit_counters'));
    if (articleToo) await eventually('the article is waited for', () => waiting('articles'));
    else expect(await waiting('articles')).toBe(false);
  });
  return (await answer)?.status;
}

test('key and article are requested at the same time once the key is cached', async () => {
  const { secret: key } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  expect(await statusOfHeldUp(key, false)).toBe(200);
  expect(await statusOfHeldUp(key, true)).toBe(200);
});

test.each([
  ['is revoked', 'update api_keys set revoked_at = now() where id = $1', 401, 'API_KEY_REVOKED'],
  ['loses its scope', `update api_keys set scopes = '{meta:read}' where id = $1`, 403, 'INSUFFICIENT_SCOPE'],
  [
    'loses the person who made it',
    'update members set removed_at = now() where id = (select member_id from api_keys where id = $1)',
    403,
    'INSUFFICIENT_SCOPE',
  ],
])('nothing is shown where the key %s meanwhile', async (_how, change, status, code) => {
  const other = await buildTenant(api.db);
  const { secret: key, id } = await buildKey(api.db, other.siteId, other.memberId);
  const path = `/articles/${(await buildArticle(api, other.secretKey)).id}`;
  expect((await api.request('GET', path, { key })).status).toBe(200);
  await api.db.pool.query(change, [id]);
  const answer = await api.request('GET', path, { key });
  expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  expect(answer.text).not.toContain('content');
});

test.each([
  ['was revoked', 'update api_keys set revoked_at = now() where id = $1', 'API_KEY_REVOKED'],
  ['has expired', 'update api_keys set expires_at = $2 where id = $1', 'API_KEY_EXPIRED'],
  [
    'was replaced, and its grace has ended',
    'update api_key_secrets set rotation = 1, valid_until = $2 where key_id = $1',
    'API_KEY_REVOKED',
  ],
  [
    'was retired',
    `update api_key_secrets set rotation = 1, valid_until = now() + interval '1 year', retired_at = now() where key_id = $1`,
    'API_KEY_REVOKED',
  ],
])('nothing is read for a secret that is cached as one that %s', async (_how, change, code) => {
  const { secret: key, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  expect((await api.request('GET', article, { key })).status).toBe(200);
  await api.db.pool.query(change, change.includes('$2') ? [id, clock.now()] : [id]);
  expect((await api.request('GET', article, { key })).json.error.code).toBe(code);
  for (let again = 0; again < 2; again += 1) expect(await statusOfHeldUp(key, false)).toBe(401);
});

test('rights that a key gets in the meantime count', async () => {
  const { secret: key, id } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
    scopes: ['meta:read'],
  });
  expect((await api.request('GET', article, { key })).status).toBe(403);
  await api.db.pool.query(`update api_keys set scopes = '{articles:read}' where id = $1`, [id]);
  expect((await api.request('GET', article, { key })).status).toBe(200);
});

test('nothing is read for a key over its rate limit, until the next window', async () => {
  const { secret: key, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  expect((await api.request('GET', article, { key })).status).toBe(200);
  await api.db.pool.query(`update rate_limit_counters set requests = 600 where subject = $1`, [id]);
  expect((await api.request('GET', '/articles/unknown', { key })).status).toBe(429);
  expect(await statusOfHeldUp(key, false)).toBe(429);
  clock.advance(60_000);
  expect(await statusOfHeldUp(key, true)).toBe(200);
});

test('errors of the request are reported after errors of its key, as usual', async () => {
  const { secret: key, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  const wrong = ['/articles?unheard-of=1', '/articles/none', '/nothing-here'];
  const statuses = async () =>
    Promise.all(wrong.map(async (path) => (await api.request('GET', path, { key })).status));
  expect(await statuses()).toEqual([400, 404, 404]);
  expect(await statuses()).toEqual([400, 404, 404]);
  await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [id]);
  expect(await statuses()).toEqual([401, 401, 401]);
});
