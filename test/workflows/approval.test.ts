import { approvalProcessId } from '../../domain/approvals/process.ts';
import { searchAttributes } from '../../temporal/names.ts';
import type { ApprovalProcessState } from '../../workflows/approval.ts';
import { ask, buildAgent, decideAs, sendAs } from '../support/approvals.ts';
import type { AgentRequest } from '../support/approvals.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startSkippedTime } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: SkippedTime;
let tenant: Tenant;
let agent: string;

beforeAll(async () => {
  world = await startSkippedTime();
});
beforeEach(async () => {
  tenant = await buildTenant(world.api.db);
  agent = (await buildAgent(world.api, tenant)).secret;
});
afterEach(() => {
  world.skewMs = 0;
});
afterAll(() => world.close());

const body = { name: 'A key', kind: 'secret', scopes: ['articles:read'] };
const create: AgentRequest = { method: 'POST', path: '/keys', options: { idempotencyKey: true, body } };

const process = (id: string) => world.temporal.client.workflow.getHandle(approvalProcessId(id));
const reaches = (id: string, wanted: ApprovalProcessState): Promise<void> =>
  eventually(`the process is ${wanted}`, async () => {
    const now = await process(id)
      .query<ApprovalProcessState>('state')
      .catch(() => null);
    return now === wanted;
  });
const ended = (id: string): Promise<void> =>
  eventually('the process has ended', async () => (await process(id).describe()).status.name === 'COMPLETED');

/** What is written of it, whatever the time says. */
const written = async (id: string) =>
  (await world.api.db.pool.query('select status, body, body_hash from approvals where id = $1', [id]))
    .rows[0];

/** An approval whose process waits. */
async function asked(): Promise<string> {
  const id = await ask(world.api, agent, create);
  await reaches(id, 'pending');
  return id;
}

async function approved(): Promise<string> {
  const id = await asked();
  expect((await decideAs(world.api, tenant.secretKey, id)).status).toBe(200);
  await reaches(id, 'approved');
  return id;
}

test.each([
  ['that nobody decides about', asked],
  ['that is approved and never used', approved],
])('an approval %s is written down as expired after 24 hours, and not before', async (_, begin) => {
  const id = await begin();
  const before = (await written(id)).status;
  await world.pass(24 * HOUR - MINUTE);
  expect((await written(id)).status).toBe(before);
  await world.pass(2 * MINUTE);
  await ended(id);
  expect(await written(id)).toEqual({ status: 'expired', body: null, body_hash: null });
  expect(await process(id).result()).toBe('expired');
  expect((await sendAs(world.api, agent, create, id)).json.error.code).toBe('APPROVAL_INVALID');
});

test('a denial ends the process', async () => {
  const id = await asked();
  await decideAs(world.api, tenant.secretKey, id, 'deny');
  await ended(id);
  expect(await process(id).result()).toBe('denied');
  await world.pass(25 * HOUR);
  expect((await written(id)).status).toBe('denied');
});

test('its use ends the process', async () => {
  const id = await approved();
  expect((await sendAs(world.api, agent, create, id)).status).toBe(201);
  await ended(id);
  expect(await process(id).result()).toBe('used');
  await world.pass(25 * HOUR);
  expect((await written(id)).status).toBe('used');
});

test('signals decide nothing: they have the process read what is written', async () => {
  const id = await asked();
  for (const name of ['decide', 'use', 'use', 'decide']) await process(id).signal(name);
  await world.pass(HOUR);
  expect(await process(id).query('state')).toBe('pending');
  expect((await written(id)).status).toBe('pending');
  expect((await decideAs(world.api, tenant.secretKey, id)).status).toBe(200);
  await reaches(id, 'approved');
});

test('a decision whose signal is lost holds, and the process learns of it at the end', async () => {
  const id = await asked();
  await world.api.db.pool.query(
    `update approvals set status = 'denied', decided_at = now(), decided_by_key_id = key_id, body = null, body_hash = null
     where id = $1`,
    [id],
  );
  await world.pass(24 * HOUR + MINUTE);
  await ended(id);
  expect(await process(id).result()).toBe('denied');
  expect((await written(id)).status).toBe('denied');
});

test('a process that begins after the decision reads it', async () => {
  const id = await ask(world.api, agent, create);
  await decideAs(world.api, tenant.secretKey, id, 'deny');
  await eventually('the process has begun', () =>
    process(id)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  await ended(id);
  expect(await process(id).result()).toBe('denied');
});

test('a worker whose clock is behind writes the expiry down when its clock agrees', async () => {
  const id = await asked();
  world.skewMs = -10 * MINUTE;
  await world.pass(24 * HOUR + 2 * MINUTE);
  expect((await written(id)).status).toBe('pending');
  expect((await process(id).describe()).historyLength).toBeLessThan(500);
  // Nobody has to wait for it: whoever reads goes by the time.
  const read = await world.api.request('GET', `/approvals/${id}`, { key: agent });
  expect(read.data.status).toBe('expired');
  world.skewMs = 0;
  await world.pass(5 * MINUTE);
  await ended(id);
  expect((await written(id)).status).toBe('expired');
});

test('an approval whose row is gone ends the process', async () => {
  const id = await asked();
  await world.api.db.pool.query('delete from approvals where id = $1', [id]);
  await process(id).signal('decide');
  await ended(id);
  expect(await process(id).result()).toBe('gone');
});

test('an operator finds the process by Site, approval and state', async () => {
  const id = await asked();
  const { typedSearchAttributes: found } = await process(id).describe();
  expect([
    found.get(searchAttributes.siteId),
    found.get(searchAttributes.approvalId),
    found.get(searchAttributes.processState),
  ]).toEqual([tenant.siteId, id, 'pending']);
});

test('its history holds ids and times, and nothing of what was sent', async () => {
  const id = await approved();
  await sendAs(world.api, agent, create, id);
  await ended(id);
  const text = JSON.stringify(await process(id).fetchHistory(), (name, value: unknown) =>
    name === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
  expect(text).toContain(id);
  for (const secret of [agent, 'A key', '/keys']) expect(text).not.toContain(secret);
});
