import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { approved, buildAgent, sendAs } from '../support/approvals.ts';
import { buildArticle, buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { createDatabaseWire, endApis, spawnApi } from './processes.ts';
import type { ApiProcess, DatabaseWire, Stop } from './processes.ts';

/** A request whose API is killed, and whether it was answered. */
interface Sent {
  readonly answered: boolean;
}

let api: TestApi;
let tenant: Tenant;
let wire: DatabaseWire;

beforeAll(async () => {
  api = await startApi();
  wire = await createDatabaseWire(api.url);
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endApis());
afterAll(async () => {
  await wire.close();
  await api.close();
});

/**
 * Sends a request to an API that is killed at its COMMIT: before the database receives it, or before its answer
 * arrives.
 */
async function sendAndKill(
  stop: Stop,
  path: string,
  body?: object,
  idempotencyKey?: string,
  more: Record<string, string> = {},
  method: 'POST' | 'PATCH' = 'POST',
): Promise<Sent> {
  const process: ApiProcess = await spawnApi(wire.url);
  const headers: Record<string, string> = {
    authorization: `Bearer ${tenant.secretKey}`,
    'content-type': 'application/json',
    ...more,
  };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const stopped = wire.stopCommit(stop);
  const answer = fetch(`${process.origin}/v1${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  }).then(
    () => ({ answered: true }),
    () => ({ answered: false }),
  );
  await stopped;
  // COMMIT has reached the database, which may take its time.
  if (stop === 'its answer') await sessionsIdle();
  await process.kill();
  return await answer;
}

/** The killed API's transactions have ended, committed or rolled back. */
const sessionsIdle = (): Promise<void> => noSession('its transactions have ended', `state <> 'idle'`);

/** The database has noticed that the API is gone. */
const sessionsGone = (): Promise<void> => noSession('its sessions are gone', 'true');

const noSession = (what: string, condition: string): Promise<void> =>
  eventually(what, async () => {
    const { rows } = await api.db.pool.query(`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'presswork-api' and ${condition}`);
    return rows.length === 0;
  });

describe('an agent’s request with its approval, killed', () => {
  const body = { name: 'Once', kind: 'secret', scopes: ['articles:read'] };
  const request = { method: 'POST', path: '/keys', options: { body, idempotencyKey: 'k-agent' } };
  let agent: string;
  let approval: string;

  beforeEach(async () => {
    agent = (await buildAgent(api, tenant)).secret;
    approval = await approved(api, tenant, agent, request);
  });

  const killAt = (stop: Stop): Promise<Sent> =>
    sendAndKill(stop, '/keys', body, 'k-agent', {
      authorization: `Bearer ${agent}`,
      'service-approval': approval,
    });
  const standing = async () => {
    const { data } = await api.request('GET', `/approvals/${approval}`, { key: agent });
    const { rows } = await api.db.pool.query(
      `select (select count(*)::int from api_keys where site_id = $1 and name = 'Once') as keys,
         (select count(*)::int from audit_log where site_id = $1 and action = 'key.create' and actor_kind = 'key') as lines`,
      [tenant.siteId],
    );
    return [data.status, rows[0].keys, rows[0].lines];
  };

  test('before the commit: the approval is unused, nothing is done, and a retry succeeds', async () => {
    expect((await killAt('the statement')).answered).toBe(false);
    await sessionsGone();
    expect(await standing()).toEqual(['approved', 0, 0]);
    const again = await sendAs(api, agent, request, approval);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await standing()).toEqual(['used', 1, 1]);
  });

  test('between the commit and the answer: used once and done once; a retry is replayed, without the secret', async () => {
    expect((await killAt('its answer')).answered).toBe(false);
    expect(await standing()).toEqual(['used', 1, 1]);
    const again = await sendAs(api, agent, request, approval);
    expect([again.status, again.data.secret, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      null,
      'true',
    ]);
    const otherKey = { ...request, options: { body, idempotencyKey: 'k-other' } };
    const reused = await sendAs(api, agent, otherKey, approval);
    expect([reused.status, reused.json.error.code]).toEqual([409, 'APPROVAL_INVALID']);
    expect(await standing()).toEqual(['used', 1, 1]);
  });
});

const count = async (table: string): Promise<number> =>
  (await api.db.pool.query(`select from ${table} where site_id = $1`, [tenant.siteId])).rowCount ?? 0;

const create = (idempotencyKey: string) =>
  api.request('POST', '/articles', { key: tenant.secretKey, body: { title: 'Once' }, idempotencyKey });

test('killed before the commit: nothing exists, and the idempotency key is free', async () => {
  const { answered } = await sendAndKill('the statement', '/articles', { title: 'Once' }, 'k-1');
  expect(answered).toBe(false);
  await sessionsGone();
  expect([await count('articles'), await count('idempotency_records')]).toEqual([0, 0]);
  const again = await create('k-1');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(await count('articles')).toBe(1);
});

test('killed between the commit and the answer: a retry with the key gets the lost answer', async () => {
  const { answered } = await sendAndKill('its answer', '/articles', { title: 'Once' }, 'k-2');
  expect(answered).toBe(false);
  expect(await count('articles')).toBe(1);
  const again = await create('k-2');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(await count('articles')).toBe(1);
});

test.each<[Stop, string]>([
  ['the statement', 'W/"1"'],
  ['its answer', 'W/"2"'],
])('a change killed at %s: text and tags are there together, or neither', async (stop, version) => {
  const tag = await buildTerm(api, tenant.secretKey, 'tags');
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Before', tag_ids: [tag.id] });
  await sendAndKill(stop, `/articles/${id}`, { title: 'After', tag_ids: [] }, undefined, {}, 'PATCH');
  await sessionsGone();
  const read = await api.request('GET', `/articles/${id}`, { key: tenant.secretKey });
  const counted = await api.request('GET', `/tags/${tag.id}`, { key: tenant.secretKey });
  expect([read.headers.get('etag'), read.data.title, read.data.tag_ids, counted.data.article_count]).toEqual(
    version === 'W/"2"' ? [version, 'After', [], 0] : [version, 'Before', [tag.id], 1],
  );
});

test.each<[Stop, number]>([
  ['the statement', 0],
  ['its answer', 1],
])('a publish killed at %s: article and event are there together, and once', async (stop, events) => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Out', content: 'Text.' });
  await sendAndKill(stop, `/articles/${id}/publish`);
  await sessionsGone();
  const read = await api.request('GET', `/articles/${id}`, { key: tenant.secretKey });
  expect([read.data.status, await count('events')]).toEqual([events === 1 ? 'published' : 'draft', events]);
  const again = await api.request('POST', `/articles/${id}/publish`, { key: tenant.secretKey });
  expect([again.status, await count('events')]).toEqual([200, 1]);
});

test.each<[Stop, number]>([
  ['the statement', 0],
  ['its answer', 1],
])(
  'a schedule killed at %s: schedule and message to the relay exist together, or neither',
  async (stop, messages) => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'Later', content: 'Text.' });
    await sendAndKill(stop, `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
    await sessionsGone();
    const read = await api.request('GET', `/articles/${id}`, { key: tenant.secretKey });
    const { rowCount } = await api.db.pool.query(`select from outbox where payload ->> 'articleId' = $1`, [
      id,
    ]);
    expect([read.data.status, rowCount]).toEqual([messages === 1 ? 'scheduled' : 'draft', messages]);
  },
);
