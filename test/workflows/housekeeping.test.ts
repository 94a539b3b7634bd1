import { statement } from '../../db/sql.ts';
import { askApproval } from '../../domain/approvals/ask.ts';
import { operator } from '../../domain/audit/record.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startDeviceSignIn } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { cleanOnce, rescueOnce, startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const DAY = 24 * 60 * 60_000;

let stack: TimeSkippingStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
  tenant = await buildTenant(stack.api.db);
});
afterAll(() => stack.close());

const clean = () => cleanOnce(stack);

const eventsOf = async (id: string): Promise<unknown[]> =>
  (await stack.api.db.pool.query(`select id from events where body::jsonb #>> '{data,id}' = $1`, [id])).rows;

test('expired rows are deleted, others are kept, and a second run finds nothing to do', async () => {
  const { secretKey } = await buildTenant(stack.api.db);
  const old = await buildPublished(stack.api, secretKey);
  const link = async (key: string, { id }: { id: string }): Promise<string> =>
    (await stack.api.request('POST', `/articles/${id}/preview-links`, { key })).data.id;
  await link(secretKey, old);
  await startDeviceSignIn(stack.api, { client_name: 'Old' });
  await stack.pass(31 * DAY);
  await startDeviceSignIn(stack.api, { client_name: 'New' });
  const recent = await buildPublished(stack.api, tenant.secretKey);
  const validLink = await link(tenant.secretKey, recent);
  const first = await clean();
  expect(first.events).toBe(1);
  expect(first.signIns).toBe(1);
  expect(first.idempotencyRecords).toBeGreaterThanOrEqual(1);
  expect(first.counters).toBeGreaterThanOrEqual(1);
  expect(await eventsOf(old.id)).toEqual([]);
  expect(await eventsOf(recent.id)).toHaveLength(1);
  expect(await clean()).toEqual({
    idempotencyRecords: 0,
    counters: 0,
    texts: 0,
    deliveries: 0,
    contentRows: 0,
    events: 0,
    usageRepairs: 0,
    signIns: 0,
    commentRepairs: 0,
    sweptForgotten: 0,
    expiredApprovals: 0,
    finishedForgotten: 0,
    failed: [],
  });
  expect(await eventsOf(recent.id)).toHaveLength(1);
  const { rows } = await stack.api.db.pool.query('select client_name from device_authorizations');
  expect(rows).toEqual([{ client_name: 'New' }]);
  const links = await stack.api.db.pool.query('select id from preview_links');
  expect(links.rows).toEqual([{ id: validLink }]);
});

test('an article whose workflow was lost is published by it, once, even by two concurrent runs', async () => {
  const { id } = await buildArticle(stack.api, tenant.secretKey, { title: 'Lost', content: 'Text.' });
  await stack.api.db.pool.query(
    `update articles set status = 'scheduled', scheduled_publish_at = $2 where id = $1`,
    [id, new Date((await stack.now()).getTime() - 60_000)],
  );
  const rescued = await Promise.all([rescueOnce(stack), rescueOnce(stack)]);
  expect(Math.max(...rescued.map(({ schedules }) => schedules))).toBe(1);
  const read = async () =>
    (await stack.api.request('GET', `/articles/${id}`, { key: tenant.secretKey })).data.status;
  await eventually('it is published', async () => (await read()) === 'published');
  await stack.pass(60_000);
  expect(await eventsOf(id)).toHaveLength(1);
  expect((await rescueOnce(stack)).schedules).toBe(0);
});

test('approvals without a workflow expire, too; ended ones are deleted after 30 days', async () => {
  const agent = await buildAgent(stack.api, tenant);
  const now = await stack.now();
  await stack.api.db.transaction(async (tx) => {
    const request = {
      action: 'key.create',
      method: 'POST',
      path: '/keys',
      body: {},
      targetVersion: null,
      target: null,
    } as const;
    const site = { id: tenant.siteId, organisationId: tenant.organisationId };
    const change = { tx, site, actor: operator, now };
    await askApproval(change, { siteId: tenant.siteId, keyId: agent.id, ...request });
    tx.atCommit(statement`delete from outbox where kind = 'approval'`);
  });
  const written = async (): Promise<string[]> =>
    (await stack.api.db.pool.query<{ status: string }>('select status from approvals')).rows.map(
      ({ status }) => status,
    );
  await stack.pass(DAY);
  expect([(await clean()).expiredApprovals, await written()]).toEqual([0, ['pending']]);
  await stack.pass(DAY);
  expect([(await clean()).expiredApprovals, await written()]).toEqual([1, ['expired']]);
  await stack.pass(27 * DAY);
  await clean();
  expect(await written()).toEqual(['expired']);
  await stack.pass(3 * DAY);
  await clean();
  expect(await written()).toEqual([]);
});
