import { operator } from '../../domain/audit/record.ts';
import { eraseMember } from '../../domain/leaving/erase-member.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import type { ApprovalWorkflowState } from '../../workflows/approval.ts';
import { ask, buildAgent, decideAs, sendAs } from '../support/approvals.ts';
import type { AgentRequest } from '../support/approvals.ts';
import { buildPerson, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let stack: TimeSkippingStack;
let tenant: Tenant;
let agent: string;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
});
beforeEach(async () => {
  tenant = await buildTenant(stack.api.db);
  agent = (await buildAgent(stack.api, tenant)).secret;
});
afterEach(() => {
  stack.skewMs = 0;
});
afterAll(() => stack.close());

const body = { name: 'A key', kind: 'secret', scopes: ['articles:read'] };
const create: AgentRequest = { method: 'POST', path: '/keys', options: { idempotencyKey: true, body } };

const workflowOf = (id: string) => stack.temporal.client.workflow.getHandle(workflowIdOf('approval', id));
const state = (id: string): Promise<ApprovalWorkflowState | null> =>
  workflowOf(id)
    .query<ApprovalWorkflowState>('state')
    .catch(() => null);
const reaches = (id: string, wanted: ApprovalWorkflowState): Promise<void> =>
  eventually(`the workflow is ${wanted}`, async () => (await state(id)) === wanted);
const ended = (id: string): Promise<void> =>
  eventually(
    'the workflow has ended',
    async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
  );

/** Its stored status, whatever the time. */
const written = async (id: string) =>
  (await stack.api.db.pool.query('select status, body, body_hash from approvals where id = $1', [id]))
    .rows[0];

/** An approval with a waiting workflow. */
async function asked(): Promise<string> {
  const id = await ask(stack.api, agent, create);
  await reaches(id, 'pending');
  return id;
}

async function approved(): Promise<string> {
  const id = await asked();
  expect((await decideAs(stack.api, tenant.secretKey, id)).status).toBe(200);
  await reaches(id, 'approved');
  return id;
}

test.each([
  ['that is never decided', asked],
  ['that is approved and never used', approved],
])('an approval %s is written down as expired after 24 hours, and not before', async (_, begin) => {
  const id = await begin();
  const before = (await written(id)).status;
  await stack.pass(24 * HOUR - MINUTE);
  expect((await written(id)).status).toBe(before);
  await stack.pass(2 * MINUTE);
  await ended(id);
  expect(await written(id)).toEqual({ status: 'expired', body: null, body_hash: null });
  expect(await workflowOf(id).result()).toBe('expired');
  expect((await sendAs(stack.api, agent, create, id)).json.error.code).toBe('APPROVAL_INVALID');
});

test('a denial ends the workflow', async () => {
  const id = await asked();
  await decideAs(stack.api, tenant.secretKey, id, 'deny');
  await ended(id);
  expect(await workflowOf(id).result()).toBe('denied');
  await stack.pass(25 * HOUR);
  expect((await written(id)).status).toBe('denied');
});

test('its use ends the workflow', async () => {
  const id = await approved();
  expect((await sendAs(stack.api, agent, create, id)).status).toBe(201);
  await ended(id);
  expect(await workflowOf(id).result()).toBe('used');
  await stack.pass(25 * HOUR);
  expect((await written(id)).status).toBe('used');
});

test('the erasure of an address ends the workflows of what was asked about it', async () => {
  const author_email = 'ada@example.com';
  const path = '/comments/erase';
  const id = await ask(stack.api, agent, { method: 'POST', path, options: { body: { author_email } } });
  const other = await asked();
  await reaches(id, 'pending');
  const answer = await stack.api.request('POST', path, { key: tenant.secretKey, body: { author_email } });
  expect(answer.status).toBe(200);
  await reaches(id, 'expired');
  expect(await state(other)).toBe('pending');
});

test('the erasure of a member ends the workflows of what their agents asked', async () => {
  const { memberId, email } = await buildPerson(stack.api.db, tenant.organisationId);
  const { secret } = await buildAgent(stack.api, { ...tenant, memberId });
  const id = await ask(stack.api, secret, create);
  const other = await asked();
  await reaches(id, 'pending');
  await stack.api.db.transaction((tx) =>
    eraseMember({ tx, actor: operator, now: new Date() }, memberId, { confirm: email, by: 'olga' }),
  );
  await reaches(id, 'expired');
  expect(await state(other)).toBe('pending');
});

test('signals decide nothing: they only make the workflow read the row', async () => {
  const id = await asked();
  for (const name of ['decide', 'use', 'use', 'decide']) await workflowOf(id).signal(name);
  await stack.pass(HOUR);
  expect(await workflowOf(id).query('state')).toBe('pending');
  expect((await written(id)).status).toBe('pending');
  expect((await decideAs(stack.api, tenant.secretKey, id)).status).toBe(200);
  await reaches(id, 'approved');
});

test('a decision whose signal is lost is valid, and the workflow learns of it at the end', async () => {
  const id = await asked();
  await stack.api.db.pool.query(
    `update approvals set status = 'denied', decided_at = now(), decided_by_key_id = key_id, body = null, body_hash = null
     where id = $1`,
    [id],
  );
  await stack.pass(24 * HOUR + MINUTE);
  await ended(id);
  expect(await workflowOf(id).result()).toBe('denied');
  expect((await written(id)).status).toBe('denied');
});

test('a workflow that starts after the decision reads it', async () => {
  const id = await ask(stack.api, agent, create);
  await decideAs(stack.api, tenant.secretKey, id, 'deny');
  await eventually('the workflow has started', () =>
    workflowOf(id)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  await ended(id);
  expect(await workflowOf(id).result()).toBe('denied');
});

test('a worker whose clock is behind records the expiry when its clock agrees', async () => {
  const id = await asked();
  stack.skewMs = -10 * MINUTE;
  await stack.pass(24 * HOUR + 2 * MINUTE);
  expect((await written(id)).status).toBe('pending');
  expect((await workflowOf(id).describe()).historyLength).toBeLessThan(500);
  // Readers do not have to wait for it: they compare the time.
  const read = await stack.api.request('GET', `/approvals/${id}`, { key: agent });
  expect(read.data.status).toBe('expired');
  stack.skewMs = 0;
  await stack.pass(5 * MINUTE);
  await ended(id);
  expect((await written(id)).status).toBe('expired');
});

test('an approval whose row is gone ends the workflow', async () => {
  const id = await asked();
  await stack.api.db.pool.query('delete from approvals where id = $1', [id]);
  await workflowOf(id).signal('decide');
  await ended(id);
  expect(await workflowOf(id).result()).toBe('gone');
});

test('an operator finds the workflow by Site, approval and state', async () => {
  const id = await asked();
  const { typedSearchAttributes: found } = await workflowOf(id).describe();
  expect([
    found.get(searchAttributes.siteId),
    found.get(searchAttributes.approvalId),
    found.get(searchAttributes.processState),
  ]).toEqual([tenant.siteId, id, 'pending']);
});

test('its history contains ids and times, and nothing of the request', async () => {
  const id = await approved();
  await sendAs(stack.api, agent, create, id);
  await ended(id);
  const text = JSON.stringify(await workflowOf(id).fetchHistory(), (name, value: unknown) =>
    name === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
  expect(text).toContain(id);
  for (const secret of [agent, 'A key', '/keys']) expect(text).not.toContain(secret);
});
