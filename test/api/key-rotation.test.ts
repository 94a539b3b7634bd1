import { randomUUID } from 'node:crypto';
import { defaultGates } from '../../domain/approvals/gated-operations.ts';
import { scopes as allScopes } from '../../domain/access/scopes.ts';
import type { Scope } from '../../domain/access/scopes.ts';
import type { Role } from '../../domain/access/permissions.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { KeyOptions, Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const rotate = (key: string, id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.request('POST', `/keys/${id}/rotate`, { key, idempotencyKey: true, headers });
const outcome = ({ status, json }: Answer): string => json?.error?.code ?? String(status);
const ownersKey = (options: KeyOptions = {}) => buildKey(api.db, tenant.siteId, tenant.memberId, options);
const narrow = (...scopes: Scope[]) => ownersKey({ scopes: ['keys:write', ...scopes] });
const keyOf = async (role: Role, options: KeyOptions = {}) => {
  const memberId = await buildMember(api.db, tenant.organisationId, role);
  return { memberId, ...(await buildKey(api.db, tenant.siteId, memberId, options)) };
};
const remove = (memberId: string) =>
  api.db.pool.query('update members set removed_at = now() where id = $1', [memberId]);

describe('a key with more scopes', () => {
  test('is not rotated, and stays unchanged', async () => {
    const [calling, target] = [await narrow('articles:read'), await ownersKey()];
    const state = async () =>
      (
        await api.db.pool.query(
          `select (select jsonb_agg(to_jsonb(s) order by s.hash) from api_key_secrets s where s.key_id = $1),
             (select version from api_keys where id = $1), (select count(*) from audit_log where target_id = $1)`,
          [target.id],
        )
      ).rows;
    const before = await state();
    const refused = await rotate(calling.secret, target.id);
    expect([refused.status, outcome(refused)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(refused.json.error.message).toContain('articles:write');
    expect(await state()).toEqual(before);
  });

  test('is not rotated by fifty concurrent requests either', async () => {
    const [calling, target] = [await narrow(), await ownersKey()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => rotate(calling.secret, target.id)));
    expect(new Set(answers.map(outcome))).toEqual(new Set(['INSUFFICIENT_SCOPE']));
  });

  test('is 403 also if it is revoked, and 404 in another Site', async () => {
    const [calling, target] = [await narrow(), await ownersKey()];
    await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [target.id]);
    expect(outcome(await rotate(calling.secret, target.id))).toBe('INSUFFICIENT_SCOPE');
    const other = await buildTenant(api.db);
    const foreign = await buildKey(api.db, other.siteId, other.memberId);
    for (const id of [foreign.id, randomUUID()])
      expect(outcome(await rotate(calling.secret, id))).toBe('NOT_FOUND');
  });

  test('is rotated by itself, and by a key with the same scopes', async () => {
    const target = await ownersKey();
    expect((await rotate(target.secret, target.id)).status).toBe(200);
    expect((await rotate(tenant.secretKey, target.id)).status).toBe(200);
    const [calling, same] = [await narrow('media:read'), await narrow('media:read')];
    expect((await rotate(calling.secret, same.id)).status).toBe(200);
  });
});

describe('only the person’s current permissions count', () => {
  test('an editor’s key with all scopes is rotated by a key with the scopes that editors can use', async () => {
    const { id, memberId } = await keyOf('viewer', { scopes: allScopes });
    await api.db.pool.query(`update api_keys set scopes = $2 where id = $1`, [id, [...allScopes]]);
    const ofViewers: Scope[] = [
      'articles:read',
      'taxonomy:read',
      'authors:read',
      'pipeline:read',
      'meta:read',
    ];
    const calling = await narrow(...ofViewers);
    expect((await rotate(calling.secret, id)).status).toBe(200);
    for (const missing of ofViewers) {
      const less = await narrow(...ofViewers.filter((scope) => scope !== missing));
      expect([missing, outcome(await rotate(less.secret, id))]).toEqual([missing, 'INSUFFICIENT_SCOPE']);
    }
    await api.db.pool.query(`update members set role = 'editor' where id = $1`, [memberId]);
    expect(outcome(await rotate(calling.secret, id))).toBe('INSUFFICIENT_SCOPE');
  });

  test('a removed member’s key can use no scope, and is rotated by any key', async () => {
    const { id, memberId } = await keyOf('owner');
    const calling = await narrow();
    expect(outcome(await rotate(calling.secret, id))).toBe('INSUFFICIENT_SCOPE');
    await remove(memberId);
    expect((await rotate(calling.secret, id)).status).toBe(200);
  });
});

describe('an agent', () => {
  const asked = async (): Promise<number> =>
    (await api.db.pool.query('select from approvals where site_id = $1', [tenant.siteId])).rowCount ?? 0;

  test('cannot rotate a person’s key, and no approval is requested', async () => {
    const agent = await buildAgent(api, tenant);
    const target = await ownersKey({ scopes: ['articles:read'] });
    expect(outcome(await rotate(agent.secret, target.id))).toBe('FORBIDDEN');
    expect(await asked()).toBe(0);
    await api.db.pool.query(
      `update organisations set approval_operations = '{}', approval_operations_offered = $2 where id = $1`,
      [tenant.organisationId, defaultGates],
    );
    expect(outcome(await rotate(agent.secret, target.id))).toBe('FORBIDDEN');
  });

  test('cannot rotate an agent’s key with more scopes, and no approval is requested', async () => {
    const agent = await buildAgent(api, tenant, { scopes: ['keys:write'] });
    const target = await buildAgent(api, tenant);
    expect(outcome(await rotate(agent.secret, target.id))).toBe('INSUFFICIENT_SCOPE');
    expect(await asked()).toBe(0);
  });

  test('rotates itself and other agents’ keys with an approval, which names the key’s owner', async () => {
    const agent = await buildAgent(api, tenant);
    const target = await buildAgent(api, tenant, { scopes: ['articles:read'] });
    for (const { id } of [target, agent]) {
      const held = await rotate(agent.secret, id);
      expect(held.status).toBe(202);
      const approvalId = held.data.approval.id as string;
      const { data } = await api.request('GET', `/approvals/${approvalId}`, { key: tenant.secretKey });
      const { rows } = await api.db.pool.query(
        `select k.name, k.scopes, m.email from api_keys k join members m on m.id = k.member_id where k.id = $1`,
        [id],
      );
      expect(data.target).toEqual({
        type: 'key',
        id,
        name: rows[0].name,
        kind: 'secret',
        scopes: rows[0].scopes,
        held_by_agent: true,
        drafts_only: false,
        member: rows[0].email,
      });
      await api.request('POST', `/approvals/${approvalId}/approve`, { key: tenant.secretKey });
      expect((await rotate(agent.secret, id, { 'service-approval': approvalId })).status).toBe(200);
    }
  });

  test('is refused before an approval is checked', async () => {
    const agent = await buildAgent(api, tenant);
    const target = await ownersKey({ scopes: ['articles:read'] });
    const refused = await rotate(agent.secret, target.id, { 'service-approval': 'no uuid' });
    expect(outcome(refused)).toBe('FORBIDDEN');
  });
});

describe('rights that change while the rotation waits', () => {
  /** Changes something in a transaction that the rotation has to wait for, and commits it. */
  const meanwhile = async (
    calling: { secret: string },
    target: { id: string },
    lock: string,
    change: string,
    id: string,
  ): Promise<string> => {
    const blocker = await api.db.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query(lock, [id]);
      const waiting = rotate(calling.secret, target.id);
      await eventually('the rotation waits', async () => {
        const { rowCount } = await api.db.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      });
      await blocker.query(change, [id]);
      await blocker.query('commit');
      return outcome(await waiting);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  };
  const lockMember = 'select from members where id = $1 for update';
  const lockKey = 'select from api_keys where id = $1 for update';

  test('the key’s person gets a higher role: the secret is not returned', async () => {
    const target = await keyOf('viewer');
    await api.db.pool.query(`update api_keys set scopes = $2 where id = $1`, [target.id, [...allScopes]]);
    const calling = await narrow(
      'articles:read',
      'taxonomy:read',
      'authors:read',
      'pipeline:read',
      'meta:read',
    );
    const promote = `update members set role = 'admin' where id = $1`;
    expect(await meanwhile(calling, target, lockMember, promote, target.memberId)).toBe('INSUFFICIENT_SCOPE');
  });

  test('the calling key is revoked, or its person loses the permission: the secret is not returned', async () => {
    const target = await ownersKey({ scopes: ['articles:read'] });
    const calling = await ownersKey();
    const revoke = 'update api_keys set revoked_at = now() where id = $1';
    expect(await meanwhile(calling, target, lockKey, revoke, calling.id)).toBe('API_KEY_REVOKED');
    const admin = await keyOf('admin');
    const demote = `update members set role = 'editor' where id = $1`;
    expect(await meanwhile(admin, target, lockMember, demote, admin.memberId)).toBe('INSUFFICIENT_SCOPE');
  });

  test('two keys that rotate each other concurrently both succeed', async () => {
    const [one, two] = [await ownersKey(), await ownersKey()];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([rotate(one.secret, two.id), rotate(two.secret, one.id)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
