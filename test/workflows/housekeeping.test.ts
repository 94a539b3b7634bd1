import { statement } from '../../db/sql.ts';
import { askApproval } from '../../domain/approvals/ask.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startDeviceSignIn } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { cleanOnce, startSkippedTime } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const DAY = 24 * 60 * 60_000;

let world: SkippedTime;
let tenant: Tenant;

beforeAll(async () => {
  world = await startSkippedTime();
  tenant = await buildTenant(world.api.db);
});
afterAll(() => world.close());

const clean = () => cleanOnce(world);

const eventsOf = async (id: string): Promise<unknown[]> =>
  (await world.api.db.pool.query(`select id from events where body::jsonb #>> '{data,id}' = $1`, [id])).rows;

test('what is past its time is deleted, what is not is kept, and a second run finds nothing left to do', async () => {
  const old = await buildPublished(world.api, (await buildTenant(world.api.db)).secretKey);
  await startDeviceSignIn(world.api, { client_name: 'Old' });
  await world.pass(31 * DAY);
  await startDeviceSignIn(world.api, { client_name: 'New' });
  const recent = await buildPublished(world.api, tenant.secretKey);
  const first = await clean();
  expect(first.events).toBe(1);
  expect(first.signIns).toBe(1);
  expect(first.idempotencyRecords).toBeGreaterThanOrEqual(1);
  expect(first.counters).toBeGreaterThanOrEqual(1);
  expect(await eventsOf(old.id)).toEqual([]);
  expect(await eventsOf(recent.id)).toHaveLength(1);
  expect(await clean()).toEqual({
    rescuedSchedules: 0,
    idempotencyRecords: 0,
    counters: 0,
    events: 0,
    usageRepairs: 0,
    signIns: 0,
    commentRepairs: 0,
    rescuedRuns: 0,
    sweptForgotten: 0,
    expiredApprovals: 0,
    finishedForgotten: 0,
  });
  expect(await eventsOf(recent.id)).toHaveLength(1);
  const { rows } = await world.api.db.pool.query('select client_name from device_authorizations');
  expect(rows).toEqual([{ client_name: 'New' }]);
});

test('an article whose process was lost is published by it, once, even where it runs twice at once', async () => {
  const { id } = await buildArticle(world.api, tenant.secretKey, { title: 'Lost', content: 'Text.' });
  await world.api.db.pool.query(
    `update articles set status = 'scheduled', scheduled_publish_at = $2 where id = $1`,
    [id, new Date((await world.now()).getTime() - 60_000)],
  );
  const rescued = await Promise.all([clean(), clean()]);
  expect(Math.max(...rescued.map(({ rescuedSchedules }) => rescuedSchedules))).toBe(1);
  const read = async () =>
    (await world.api.request('GET', `/articles/${id}`, { key: tenant.secretKey })).data.status;
  await eventually('it is published', async () => (await read()) === 'published');
  await world.pass(60_000);
  expect(await eventsOf(id)).toHaveLength(1);
  expect((await clean()).rescuedSchedules).toBe(0);
});

test('approvals that no process follows expire all the same; those that ended are deleted after 30 days', async () => {
  const agent = await buildAgent(world.api, tenant);
  const now = await world.now();
  await world.api.db.transaction(async (tx) => {
    const request = {
      action: 'key.create',
      method: 'POST',
      path: '/keys',
      body: {},
      targetVersion: null,
    } as const;
    await askApproval(tx, { siteId: tenant.siteId, keyId: agent.id, ...request }, now);
    tx.atCommit(statement`delete from outbox where kind = 'approval'`);
  });
  const written = async (): Promise<string[]> =>
    (await world.api.db.pool.query<{ status: string }>('select status from approvals')).rows.map(
      ({ status }) => status,
    );
  await world.pass(DAY);
  expect([(await clean()).expiredApprovals, await written()]).toEqual([0, ['pending']]);
  await world.pass(DAY);
  expect([(await clean()).expiredApprovals, await written()]).toEqual([1, ['expired']]);
  await world.pass(27 * DAY);
  await clean();
  expect(await written()).toEqual(['expired']);
  await world.pass(3 * DAY);
  await clean();
  expect(await written()).toEqual([]);
});
