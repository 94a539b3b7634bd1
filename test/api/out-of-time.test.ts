import type pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import { ranOutOfTime, sqlState } from '../../db/failures.ts';
import { statement } from '../../db/sql.ts';
import { apiTimeouts, commandTimeouts, migrationTimeouts, workerTimeouts } from '../../db/timeouts.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';

/** Long enough for what does not wait, even on a busy machine. */
const timeouts = { lock: 2_000, statement: 4_000, idleInTransaction: 4_000, transaction: 10_000 };
let tenant: Tenant;
let blocker: pg.PoolClient;

const api = await useApi(
  {},
  { ownDatabase: 'it locks, renames and slows down tables', session: { timeouts, poolSize: 4 } },
);
beforeAll(async () => {
  tenant = await buildTenant(api.db);
});
beforeEach(async () => {
  blocker = await api.db.pool.connect();
  await blocker.query('begin');
});
afterEach(async () => {
  await blocker.query('rollback');
  blocker.release();
});

const call = (method: string, path: string, body?: unknown, idempotencyKey: string | true = true) =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey });

/** The answer by docs/spec/service-api.md, Errors, without internals. */
function expectLater(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(answer.headers.get('ratelimit-limit')).not.toBeNull();
  expect(Object.keys(answer.json).toSorted()).toEqual(['error', 'request_id']);
  expect(answer.json.error).toEqual({ code: 'MAINTENANCE', message: expect.stringMatching(/Try again in/) });
  expect(answer.text).not.toMatch(/timeout|statement|lock|relation|select|update|canceling|55P03|57014/i);
}

test('a write that waits for a locked row is 503, changes nothing, and succeeds later', async () => {
  const article = await buildArticle(api, tenant.secretKey, { title: 'Before' });
  await blocker.query('select from articles where id = $1 for update', [article.id]);
  expectLater(await call('PATCH', `/articles/${article.id}`, { title: 'After' }));
  expect((await call('GET', `/articles/${article.id}`)).data.title).toBe('Before');
  await blocker.query('rollback');
  expect((await call('PATCH', `/articles/${article.id}`, { title: 'After' })).data.title).toBe('After');
});

test('a read that waits for a locked table is 503', async () => {
  await blocker.query('lock table articles in access exclusive mode');
  expectLater(await call('GET', '/articles'));
  await blocker.query('rollback');
  expect((await call('GET', '/articles')).status).toBe(200);
});

test('so is authentication, and the device page', async () => {
  await blocker.query('lock table api_keys, device_authorizations in access exclusive mode');
  expectLater(await call('GET', '/articles'));
  const form = await api.request('POST', '/auth/device', { body: { client_name: 'A device' } });
  expectLater(form);
});

test('a statement that takes too long is cancelled, and its idempotency key is free again', async () => {
  await api.db.pool.query(`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return new; end $$;
    create trigger dawdle before insert on articles for each row execute function dawdle()`);
  try {
    expectLater(await call('POST', '/articles', { title: 'Slow' }, 'slow-one'));
  } finally {
    await api.db.pool.query('drop trigger dawdle on articles; drop function dawdle()');
  }
  const again = await call('POST', '/articles', { title: 'Slow' }, 'slow-one');
  expect(again.status).toBe(201);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  const { data } = await call('GET', '/articles?slug=slow');
  expect(data.items).toHaveLength(1);
});

test('an idle open transaction is ended and rolled back', async () => {
  const idle = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
    and query like '%Left open%'`;
  const isIdle = async (): Promise<boolean> => (await api.db.pool.query(idle)).rowCount === 1;
  const work = api.db.transaction(async (tx) => {
    await tx.exec(statement`update sites set name = 'Left open' where id = ${tenant.siteId}`);
    await eventually('it is idle', isIdle);
    await eventually('its session is ended', async () => !(await isIdle()));
    await tx.exec(statement`select 1`);
  });
  const error = await work.catch((thrown: unknown) => thrown);
  expect(sqlState(error)).toBe('25P03');
  expect(ranOutOfTime(error)).toBe(true);
  expect((await call('GET', '/site')).data.name).not.toBe('Left open');
});

test('requests without a free connection are 503 as well', async () => {
  const db = createDatabase({
    connectionString: api.url,
    applicationName: 'presswork-test',
    poolSize: 1,
    timeouts: { ...timeouts, statement: 100_000, transaction: 100_000 },
  });
  const holding = db.exec(statement`select pg_sleep(90)`);
  holding.catch(() => {});
  const error = await db.exec(statement`select 1`).catch((thrown: unknown) => thrown);
  expect(ranOutOfTime(error)).toBe(true);
  await api.db.pool.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep(90)%'`,
  );
  await holding.catch(() => {});
  await db.close();
});

test('any other failure of the database is still a 500', async () => {
  await api.db.pool.query('alter table categories rename to elsewhere');
  const answer = await call('GET', '/categories');
  await api.db.pool.query('alter table elsewhere rename to categories');
  expect(answer.status).toBe(500);
  expect(ranOutOfTime(new Error('anything'))).toBe(false);
});

test('the server enforces the time-outs of each session', async () => {
  for (const given of [apiTimeouts, workerTimeouts, commandTimeouts]) {
    const db = createDatabase({
      connectionString: api.url,
      applicationName: 'presswork-test',
      timeouts: given,
    });
    const { rows } = await db.pool.query(
      `select name, setting::int from pg_settings
       where name = any('{lock_timeout,statement_timeout,idle_in_transaction_session_timeout,transaction_timeout}')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      lock_timeout: given.lock,
      statement_timeout: given.statement,
      idle_in_transaction_session_timeout: given.idleInTransaction,
      transaction_timeout: given.transaction,
    });
    await db.close();
  }
});

test('a migration times out before a request does, and an activity’s statement before its retry', () => {
  const activity = 60_000;
  const request = 30_000;
  expect(migrationTimeouts.lock * 2).toBeLessThan(apiTimeouts.lock);
  expect(apiTimeouts.lock).toBeLessThan(apiTimeouts.statement);
  expect(apiTimeouts.statement * 2).toBeLessThanOrEqual(request);
  expect(workerTimeouts.statement * 2).toBeLessThanOrEqual(activity);
});

test('a lock released in time fails no request', async () => {
  const article = await buildArticle(api, tenant.secretKey, { title: 'Before' });
  await blocker.query('select from articles where id = $1 for update', [article.id]);
  const waiting = call('PATCH', `/articles/${article.id}`, { title: 'After' });
  await eventually(
    'the request waits',
    async () => {
      const { rowCount } = await api.db.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    },
    5,
  );
  await blocker.query('rollback');
  expect((await waiting).status).toBe(200);
});
