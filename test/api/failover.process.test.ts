import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { apiTimeouts } from '../../db/timeouts.ts';
import { listen } from '../../worker/listener.ts';
import type { Listener } from '../../worker/listener.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import type { OwnPostgres } from '../support/own-postgres.ts';
import { createWire } from '../support/temporal.ts';
import type { Wire } from '../support/temporal.ts';

/**
 * The failover of a managed PostgreSQL: the primary becomes read-only without closing a connection, the name leads to
 * its standby, and that is promoted a moment later.
 */
const LEFT_WITHIN_MS = 10_000;
const STANDBY_MS = 1_500;

let primary: OwnPostgres;
let standby: OwnPostgres;
let wire: Wire;
let db: Database;
let api: TestApi;
let tenant: Tenant;
let article: string;
let listener: Listener;
let heard = 0;

beforeAll(async () => {
  primary = await startOwnPostgres();
  await primary.stop();
  standby = await startOwnPostgres({
    copyOf: primary,
    prepare: (folder) => writeFileSync(join(folder, 'standby.signal'), ''),
    settings: { primary_conninfo: primary.url, wal_retrieve_retry_interval: '100ms' },
  });
  await primary.start();
  const streaming = `select from pg_stat_replication where state = 'streaming'`;
  await eventually('the standby follows', async () => (await on(primary, streaming)).length === 1);
  const url = new URL(primary.url);
  wire = await createWire(url.host);
  url.host = wire.address;
  db = createDatabase({
    connectionString: url.href,
    applicationName: 'over-the-wire',
    timeouts: apiTimeouts,
    verifyRows: true,
  });
  api = await startApi({ db });
  listener = listen(url.href, pino({ level: 'silent' }), {
    presswork_outbox: () => (heard += 1),
    presswork_schedules: () => {},
    presswork_webhooks: () => {},
  });
  tenant = await buildTenant(db);
  article = (await buildArticle(api, tenant.secretKey, { title: 'Before' })).id;
}, 120_000);
afterAll(async () => {
  listener.close();
  await wire.cut();
  await db.close();
  await api.close();
  await Promise.all([primary.remove(), standby.remove()]);
});

async function on(server: OwnPostgres, ...statements: readonly string[]): Promise<unknown[]> {
  const direct = createDatabase({ connectionString: server.url, applicationName: 'direct', poolSize: 1 });
  try {
    const rows: unknown[] = [];
    for (const text of statements) rows.push(...(await direct.pool.query(text)).rows);
    return rows;
  } finally {
    await direct.close();
  }
}

/** Asks without a break, four at a time, until it is told to stop. */
function traffic() {
  const statuses: { readonly status: number; readonly at: number; readonly text: string }[] = [];
  const created: string[] = [];
  const run = { ended: false };
  const key = tenant.secretKey;
  const ask = async (n: number): Promise<void> => {
    while (!run.ended) {
      const asked = [
        () => api.request('GET', `/articles/${article}`, { key }),
        () => api.request('GET', '/articles?limit=5', { key }),
        () => api.request('PATCH', `/articles/${article}`, { key, body: { title: `At ${Date.now()}` } }),
        () => api.request('POST', '/articles', { key, body: { title: 'New' }, idempotencyKey: true }),
      ];
      const answer = await (asked[n] as (typeof asked)[number])();
      statuses.push({ status: answer.status, at: Date.now(), text: answer.text });
      if (answer.status === 201) created.push(answer.data.id);
      await sleep(20);
    }
  };
  const asking = Promise.all([0, 1, 2, 3].map(ask));
  return {
    statuses,
    created,
    async stop() {
      run.ended = true;
      await asking;
    },
  };
}

test('a primary that has become read-only is left within 10 s; until then requests are answered with 503, never 500', async () => {
  const { statuses, created, stop } = traffic();
  await eventually('all requests succeed', () => statuses.filter(({ status }) => status < 300).length > 20);

  wire.lead(new URL(standby.url).host);
  await on(primary, "alter system set default_transaction_read_only = 'on'", 'select pg_reload_conf()');
  // What was committed before has to be there afterwards.
  await sleep(STANDBY_MS);
  const before = created.length;
  await on(standby, 'select pg_promote(true)');
  const promoted = Date.now();

  await eventually('requests succeed again', () => created.length > before + 5);
  await sleep(500);
  await stop();
  const failed = statuses.filter(({ status }) => status >= 300);
  expect(failed.filter(({ status }) => status !== 503)).toEqual([]);
  expect(failed.length).toBeGreaterThan(0);
  expect(Math.max(...failed.map(({ at }) => at)) - promoted).toBeLessThan(LEFT_WITHIN_MS);

  const rows = await on(standby, 'select id from articles');
  const ids = new Set(rows.map((row) => (row as { id: string }).id));
  expect(created.filter((id) => !ids.has(id))).toEqual([]);
  await eventually('no connection to the old primary is left', async () => {
    const ours = `select from pg_stat_activity where application_name in ('over-the-wire', 'presswork-listener')`;
    return (await on(primary, ours)).length === 0;
  });

  const heardBefore = heard;
  await eventually('notifications of the new primary are heard', async () => {
    await on(standby, 'notify presswork_outbox');
    return heard > heardBefore;
  });
});
