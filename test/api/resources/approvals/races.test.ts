import { randomUUID } from 'node:crypto';
import { APPROVAL_LIFETIME_MS } from '../../../../domain/approvals/approval.ts';
import { expireApproval } from '../../../../domain/approvals/expire.ts';
import { useApi } from '../../../support/api.ts';
import { approved, ask, buildAgent, decideAs, sendAs } from '../../../support/approvals.ts';
import type { AgentRequest } from '../../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { eventually } from '../../../support/eventually.ts';

const ROUNDS = 8;

const clock = new TestClock();
let tenant: Tenant;
let agent: string;

clock.freeze();
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
  clock.advance(60_000);
});

const create = (idempotencyKey: string = randomUUID()): AgentRequest => ({
  method: 'POST',
  path: '/keys',
  options: { idempotencyKey, body: { name: 'Raced', kind: 'secret', scopes: ['articles:read'] } },
});
const raced = async (): Promise<number> =>
  (await api.db.pool.query(`select from api_keys where name = 'Raced' and site_id = $1`, [tenant.siteId]))
    .rowCount ?? 0;
const statusOf = async (id: string): Promise<string> =>
  (await api.request('GET', `/approvals/${id}`, { key: agent })).data.status;

test('of concurrent uses of one approval, one wins, and the others learn that it has been used', async () => {
  const id = await approved(api, tenant, agent, create());
  const answers = await Promise.all(Array.from({ length: ROUNDS }, () => sendAs(api, agent, create(), id)));
  const outcomes = answers.map(({ status, json }) => json.error?.code ?? status).sort();
  expect(outcomes).toEqual([201, ...Array<string>(ROUNDS - 1).fill('APPROVAL_INVALID')]);
  expect(await raced()).toBe(1);
});

test('of concurrent uses under one Idempotency-Key, one runs, and later ones replay it', async () => {
  const request = create();
  const id = await approved(api, tenant, agent, request);
  const answers = await Promise.all(Array.from({ length: ROUNDS }, () => sendAs(api, agent, request, id)));
  for (const { status, json } of answers)
    expect([201, 'IDEMPOTENCY_KEY_IN_FLIGHT']).toContain(json.error?.code ?? status);
  expect((await sendAs(api, agent, request, id)).headers.get('idempotency-replayed')).toBe('true');
  expect(await raced()).toBe(1);
});

test('of two uses to delete one article, one deletes it, and the other is 404', async () => {
  const { id } = await buildArticle(api, agent);
  const request = { method: 'DELETE', path: `/articles/${id}`, options: {} };
  const approval = await approved(api, tenant, agent, request);
  const answers = await Promise.all([1, 2].map(() => sendAs(api, agent, request, approval)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
});

test('of concurrent approval and denial, one takes effect', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await ask(api, agent, create());
    const [approval, denial] = await Promise.all([
      decideAs(api, tenant.secretKey, id, 'approve'),
      decideAs(api, tenant.secretKey, id, 'deny'),
    ]);
    expect([approval.status, denial.status].sort()).toEqual([200, 409]);
    expect(await statusOf(id)).toBe(approval.status === 200 ? 'approved' : 'denied');
    const { rowCount } = await api.db.pool.query(
      `select from audit_log where target_id = $1 and action in ('approval.approve', 'approval.deny')`,
      [id],
    );
    expect(rowCount).toBe(1);
  }
});

test('of a concurrent use and expiry, one takes effect', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await approved(api, tenant, agent, create());
    const end = new Date(clock.now().getTime() + APPROVAL_LIFETIME_MS);
    clock.advanceTo(new Date(end.getTime() - 1));
    const before = await raced();
    const [used, expired] = await Promise.all([
      sendAs(api, agent, create(), id),
      expireApproval(api.db, id, end),
    ]);
    expect([used.status, expired]).toEqual(expired ? [409, true] : [201, false]);
    expect(await statusOf(id)).toBe(expired ? 'expired' : 'used');
    expect(await raced()).toBe(before + (expired ? 0 : 1));
  }
});

test('a concurrent edit invalidates an approved deletion, or comes after it', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await buildArticle(api, agent);
    const request = { method: 'DELETE', path: `/articles/${id}`, options: {} };
    const approval = await approved(api, tenant, agent, request);
    const [deleted, edited] = await Promise.all([
      sendAs(api, agent, request, approval),
      api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body: { title: 'Edited' } }),
    ]);
    expect([
      [204, 404],
      [409, 200],
    ]).toContainEqual([deleted.status, edited.status]);
    expect(await statusOf(approval)).toBe(deleted.status === 204 ? 'used' : 'approved');
  }
});

test('an approval granted while it is being used is either valid or still pending', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await ask(api, agent, create());
    const [used] = await Promise.all([sendAs(api, agent, create(), id), decideAs(api, tenant.secretKey, id)]);
    expect([201, 409]).toContain(used.status);
    expect(await statusOf(id)).toBe(used.status === 201 ? 'used' : 'approved');
  }
});

test('a connection that dies between the use and the commit leaves the approval unused', async () => {
  const request = create();
  const id = await approved(api, tenant, agent, request);
  const blocker = await api.db.pool.connect();
  try {
    await blocker.query('begin');
    // The operation waits here after it has marked the approval as used.
    await blocker.query('lock table api_key_secrets in share row exclusive mode');
    const dying = sendAs(api, agent, request, id);
    await eventually('the operation waits, and is killed', async () => {
      const { rowCount } = await blocker.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    expect((await dying).status).toBe(503);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect([await statusOf(id), await raced()]).toEqual(['approved', 0]);
  expect((await sendAs(api, agent, request, id)).status).toBe(201);
});
