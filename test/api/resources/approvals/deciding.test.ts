import { randomUUID } from 'node:crypto';
import { useApi } from '../../../support/api.ts';
import { ask, buildAgent, buildEditorKey, decideAs, sendAs } from '../../../support/approvals.ts';
import type { AgentRequest } from '../../../support/approvals.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const DAY = 24 * 60 * 60_000;

const clock = new TestClock();
let tenant: Tenant;
let agent: { secret: string; id: string };

clock.freeze();
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = await buildAgent(api, tenant);
});

const body = { name: 'A key', kind: 'secret', scopes: ['articles:read'] };
const create: AgentRequest = { method: 'POST', path: '/keys', options: { idempotencyKey: true, body } };
const asked = () => ask(api, agent.secret, create);
const get = (path: string, key = tenant.secretKey) => api.request('GET', path, { key });
const keyOf = async (secret: string) =>
  (await api.db.pool.query('select id, name from api_keys where key_prefix = $1', [secret.slice(0, 13)]))
    .rows[0];

test('an approval shows the request, who made it, its expiry and the outcome', async () => {
  const id = await asked();
  const requested = {
    id,
    status: 'pending',
    action: 'key.create',
    method: 'POST',
    path: '/keys',
    requested_by: { kind: 'key', id: agent.id, name: expect.any(String) },
    created_at: clock.now().toISOString(),
    expires_at: new Date(clock.now().getTime() + DAY).toISOString(),
    decided_at: null,
    decided_by: null,
    used_at: null,
  };
  expect((await get(`/approvals/${id}`)).data).toEqual({ ...requested, body, target: null });
  expect((await get('/approvals')).data.items).toEqual([requested]);

  clock.advance(5_000);
  const decided = await decideAs(api, tenant.secretKey, id);
  expect(decided.status).toBe(200);
  const { id: keyId, name } = await keyOf(tenant.secretKey);
  const approved = {
    ...requested,
    status: 'approved',
    decided_at: clock.now().toISOString(),
    decided_by: { kind: 'key', id: keyId, name },
  };
  expect(decided.data).toEqual({ approval: approved });

  clock.advance(5_000);
  expect((await sendAs(api, agent.secret, create, id)).status).toBe(201);
  const used = { ...approved, status: 'used', used_at: clock.now().toISOString() };
  expect((await get(`/approvals/${id}`)).data).toEqual({ ...used, body: null, target: null });
});

test('a denial is answered like an approval', async () => {
  const id = await asked();
  const answer = await decideAs(api, tenant.secretKey, id, 'deny');
  expect([answer.status, answer.data.approval.status, answer.data.approval.id]).toEqual([200, 'denied', id]);
  expect((await get(`/approvals/${id}`, agent.secret)).data.status).toBe('denied');
});

test('GET honours If-None-Match, and the ETag changes with the status', async () => {
  const id = await asked();
  const etag = (await get(`/approvals/${id}`)).headers.get('etag') as string;
  const again = () =>
    api.request('GET', `/approvals/${id}`, { key: tenant.secretKey, headers: { 'if-none-match': etag } });
  expect((await again()).status).toBe(304);
  clock.advance(DAY);
  expect([(await again()).status, (await again()).data.status]).toEqual([200, 'expired']);
});

test('the ETag changes with what the reader may see', async () => {
  const id = await asked();
  const tagFor = async (key?: string) => (await get(`/approvals/${id}`, key)).headers.get('etag');
  expect(await tagFor(await buildEditorKey(api, tenant))).not.toBe(await tagFor());
});

describe('reading', () => {
  test('needs a secret key of the Site, and no scope', async () => {
    const id = await asked();
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: [] });
    const { secret: ofAgent } = await buildAgent(api, tenant, { scopes: [] });
    for (const key of [secret, ofAgent, await buildEditorKey(api, tenant)]) {
      expect((await get(`/approvals/${id}`, key)).data.id).toBe(id);
      expect((await get('/approvals', key)).data.items).toHaveLength(1);
    }
    for (const path of ['/approvals', `/approvals/${id}`]) {
      const refused = await get(path, tenant.publishableKey);
      expect([refused.status, refused.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  test('the body is shown to the key that asked and to those who may decide', async () => {
    const id = await asked();
    const shown = async (key: string) => (await get(`/approvals/${id}`, key)).data.body;
    expect(await shown(agent.secret)).toEqual(body);
    expect(await shown(tenant.secretKey)).toEqual(body);
    expect(await shown(await buildEditorKey(api, tenant))).toBeNull();
    expect(await shown((await buildAgent(api, tenant)).secret)).toBeNull();
  });

  test('an approval of another Site does not exist, to read or to decide', async () => {
    const id = await asked();
    const other = await buildTenant(api.db);
    const unknown = [`/approvals/${id}`, `/approvals/${randomUUID()}`, '/approvals/17'];
    for (const path of unknown) {
      const answer = await get(path, other.secretKey);
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    for (const verb of ['approve', 'deny'] as const)
      for (const target of [id, randomUUID(), '17']) {
        const answer = await decideAs(api, other.secretKey, target, verb);
        expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
      }
    expect((await get('/approvals', other.secretKey)).data.items).toEqual([]);
    expect((await get(`/approvals/${id}`)).data.status).toBe('pending');
  });

  test('the list is paged by its cursor, newest first, and takes no other parameters', async () => {
    const ids = [await asked(), await asked(), await asked()];
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { data } = await get(`/approvals?limit=1${cursor}`);
      seen.push(...data.items.map(({ id }: { id: string }) => id));
      if (data.next_cursor === null) break;
      cursor = `&cursor=${data.next_cursor}`;
    }
    expect(seen).toEqual(ids.toReversed());
    for (const query of ['fields=id', 'limit=0', 'cursor=x', 'status=pending'])
      expect((await get(`/approvals?${query}`)).status).toBe(400);
  });
});

describe('deciding', () => {
  test.each(['approve', 'deny'] as const)(
    '%s twice is a conflict, whatever was decided first',
    async (verb) => {
      for (const first of ['approve', 'deny'] as const) {
        const id = await asked();
        await decideAs(api, tenant.secretKey, id, first);
        const again = await decideAs(api, tenant.secretKey, id, verb);
        expect([again.status, again.json.error.code]).toEqual([409, 'CONFLICT']);
        const status = first === 'approve' ? 'approved' : 'denied';
        expect(again.json.error.message).toContain(status);
        expect((await get(`/approvals/${id}`)).data.status).toBe(status);
      }
    },
  );

  test.each(['approve', 'deny'] as const)(
    '%s is a conflict from its expiry on, and not before',
    async (verb) => {
      const [first, second] = [await asked(), await asked()];
      clock.advance(DAY - 1);
      expect((await decideAs(api, tenant.secretKey, first, verb)).status).toBe(200);
      clock.advance(1);
      const late = await decideAs(api, tenant.secretKey, second, verb);
      expect([late.status, late.json.error.code]).toEqual([409, 'CONFLICT']);
      expect(late.json.error.message).toContain('expired');
    },
  );

  test('needs a person with the permission: agents and editors are FORBIDDEN', async () => {
    const id = await asked();
    const { secret: otherAgent } = await buildAgent(api, tenant);
    for (const key of [agent.secret, otherAgent, await buildEditorKey(api, tenant)])
      for (const verb of ['approve', 'deny'] as const) {
        const answer = await decideAs(api, key, id, verb);
        expect([answer.status, answer.json.error.code]).toEqual([403, 'FORBIDDEN']);
      }
    expect((await get(`/approvals/${id}`)).data.status).toBe('pending');
    const admin = await buildMember(api.db, tenant.organisationId, 'admin');
    const { secret } = await buildKey(api.db, tenant.siteId, admin, { scopes: [] });
    expect((await decideAs(api, secret, id)).status).toBe(200);
  });

  test('is refused to publishable keys and to those of a removed member', async () => {
    const id = await asked();
    const member = await buildMember(api.db, tenant.organisationId, 'admin');
    const { secret } = await buildKey(api.db, tenant.siteId, member);
    await api.db.pool.query('update members set removed_at = now() where id = $1', [member]);
    for (const key of [tenant.publishableKey, secret]) {
      const answer = await decideAs(api, key, id);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  test('accepts an empty body only', async () => {
    const id = await asked();
    const answer = await api.request('POST', `/approvals/${id}/approve`, {
      key: tenant.secretKey,
      body: { note: 'yes' },
    });
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['note']]);
  });

  test('is in the audit log, without the request’s body; a refused decision is not', async () => {
    const [first, second] = [await asked(), await asked()];
    await decideAs(api, tenant.secretKey, first, 'approve');
    await decideAs(api, tenant.secretKey, second, 'deny');
    await decideAs(api, tenant.secretKey, second, 'approve');
    const { rows } = await api.db.pool.query(
      `select action, actor_kind, actor_id, target_type, target_id, details from audit_log
       where site_id = $1 and action in ('approval.approve', 'approval.deny') order by id`,
      [tenant.siteId],
    );
    const { id: actorId } = await keyOf(tenant.secretKey);
    const details = { action: 'key.create', method: 'POST', path: '/keys', requested_by: agent.id };
    const row = { actor_kind: 'key', actor_id: actorId, target_type: 'approval', details };
    expect(rows).toEqual([
      { ...row, action: 'approval.approve', target_id: first },
      { ...row, action: 'approval.deny', target_id: second },
    ]);
  });
});
