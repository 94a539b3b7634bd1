import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { apiTimeouts } from '../../db/timeouts.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import type { OwnPostgres } from '../support/own-postgres.ts';
import { createWire } from '../support/temporal.ts';
import type { Wire } from '../support/temporal.ts';

/** The API while its database is silent: it neither answers nor closes connections. */
let postgres: OwnPostgres;
let direct: Database;
let db: Database;
let wire: Wire;
let api: TestApi;
let tenant: Tenant;
let article: string;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  const url = new URL(postgres.url);
  wire = await createWire(url.host);
  url.host = wire.address;
  direct = createDatabase({ connectionString: postgres.url, applicationName: 'direct', poolSize: 4 });
  db = createDatabase({
    connectionString: url.href,
    applicationName: 'over-the-wire',
    timeouts: apiTimeouts,
    verifyRows: true,
  });
  api = await startApi({ db });
}, 120_000);
beforeEach(async () => {
  tenant = await buildTenant(direct);
  article = (await buildArticle(api, tenant.secretKey, { title: 'Before' })).id;
});
afterAll(async () => {
  await wire.cut();
  await Promise.allSettled([db.close(), direct.close()]);
  await api.close();
  await postgres.remove();
});

const kinds: readonly ((key: string, n: number) => Promise<Answer>)[] = [
  (key) => api.request('GET', '/articles?limit=5', { key }),
  (key) => api.request('GET', `/articles/${article}`, { key }),
  (key) => api.request('GET', '/categories', { key }),
  (key, n) =>
    api.request('POST', '/articles', { key, body: { title: `Meanwhile ${n}` }, idempotencyKey: true }),
  (key, n) => api.request('PATCH', `/articles/${article}`, { key, body: { title: `Meanwhile ${n}` } }),
  () => api.request('POST', '/articles', { key: 'sk_live_unknown', body: {} }),
  () => api.request('POST', '/auth/device', { body: { client_name: 'A device' } }),
];
const ask = (n: number): Promise<Answer> =>
  (kinds[n % kinds.length] as (typeof kinds)[number])(tenant.secretKey, n);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Two hundred requests, most of them within two seconds. Ends when all have ended, with the database still silent. */
async function askWhileSilent(begin: () => void): Promise<Answer[]> {
  const sent: Promise<Answer>[] = [];
  const send = (count: number): void => {
    for (let index = 0; index < count; index += 1) sent.push(ask(sent.length));
  };
  // In flight when the silence starts.
  send(20);
  begin();
  for (let part = 0; part < 16; part += 1) {
    send(10);
    await sleep(100);
  }
  await sleep(4_000);
  send(20);
  return Promise.all(sent);
}

async function expectRecovery(): Promise<void> {
  let statuses: number[] = [];
  await eventually('no request fails', async () => {
    const answers = await Promise.all(kinds.map((_, n) => ask(n)));
    statuses = answers.map(({ status }) => status);
    return statuses.every((status) => status < 500);
  });
  expect(statuses).toEqual([200, 200, 200, 201, 200, 401, expect.any(Number)]);
  expect(db.pool.waitingCount).toBe(0);
}

const drafts = async (): Promise<number> =>
  (await direct.pool.query('select from articles where site_id = $1', [tenant.siteId])).rowCount ?? 0;

test.each<[string, () => void, () => Promise<void> | void]>([
  ['its packets are dropped', () => wire.silence(), () => wire.open()],
  ['its processes are frozen', () => postgres.freeze(), () => postgres.thaw()],
])(
  'while %s, every request ends with an answer or 503, and everything works soon after, without a restart',
  async (_how, begin, end) => {
    for (let n = 0; n < kinds.length; n += 1) await ask(n);
    const ended = await askWhileSilent(begin);
    const refused = ended.filter(({ status }) => status === 503);
    for (const { json, headers } of refused) {
      expect(json.error.code).toBe('MAINTENANCE');
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(refused.length).toBeGreaterThan(150);
    expect(ended.map(({ status }) => status)).not.toContain(500);
    await end();
    await expectRecovery();
    // Requests that had not started are not done later.
    const now = await drafts();
    await sleep(2_000);
    expect(await drafts()).toBe(now);
  },
);

test('idle connections that died silently are noticed before they are used', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n % 3)));
  expect(db.pool.idleCount).toBeGreaterThan(2);
  await sleep(5_500);
  wire.silence();
  await wire.open();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n % 3)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a waiting write whose client disconnects is not carried out', async () => {
  const held = await buildArticle(api, tenant.secretKey, { title: 'Held' });
  const blocker = await direct.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from articles where id = $1 for update', [held.id]);
  // As many as a Site may have at once (docs/decisions/0135).
  const waiting = Array.from({ length: 4 }, () =>
    api.request('PATCH', `/articles/${held.id}`, { key: tenant.secretKey, body: { title: 'Later' } }),
  );
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%articles%'`;
  await eventually('they wait', async () => (await direct.pool.query(waits)).rowCount === 4);
  const gone = new AbortController();
  const sent = fetch(`${api.origin}/v1/articles/${article}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${tenant.secretKey}` },
    signal: gone.signal,
  }).catch(() => null);
  await sleep(1_000);
  gone.abort();
  expect(await sent).toBeNull();
  await blocker.query('rollback');
  blocker.release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  await sleep(500);
  expect((await ask(1)).status).toBe(200);
});
