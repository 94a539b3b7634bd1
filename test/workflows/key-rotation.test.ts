import { hashSecret } from '../../domain/access/key-secret.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import type { KeyRotationState } from '../../workflows/key-rotation.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let stack: TimeSkippingStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
  tenant = await buildTenant(stack.api.db);
});
afterAll(() => stack.close());
afterEach(() => {
  stack.skewMs = 0;
});

const workflowOf = (id: string) => stack.temporal.client.workflow.getHandle(workflowIdOf('key-rotation', id));
const stateOf = (id: string): Promise<KeyRotationState | null> =>
  workflowOf(id)
    .query<KeyRotationState>('state')
    .catch(() => null);
/** When the next grace of a key ends, as the database has it. */
const nextEnd = async (id: string): Promise<string | undefined> => {
  const { rows } = await stack.api.db.pool.query(
    'select min(valid_until) as until from api_key_secrets where key_id = $1 and retired_at is null',
    [id],
  );
  return rows[0].until?.toISOString();
};
const inGrace = (id: string): Promise<void> =>
  eventually('the workflow knows when the next grace ends', async () => {
    const current = await stateOf(id);
    return current?.state === 'grace' && current.until === (await nextEnd(id));
  });
const ended = (id: string): Promise<void> =>
  eventually(
    'the workflow has ended',
    async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
  );
const call = (method: string, path: string, body?: object) =>
  stack.api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const ping = async (key: string): Promise<string> => {
  const answer = await stack.api.request('GET', '/ping', { key });
  return answer.status === 200 ? 'works' : answer.json.error.code;
};
const rotate = async (id: string, grace: number): Promise<string> => {
  const answer = await call('POST', `/keys/${id}/rotate`, { grace_seconds: grace });
  expect(answer.status).toBe(200);
  return answer.data.secret;
};
/** The rotations whose secret was retired, and the actor. */
const retirements = async (id: string) => {
  const { rows } = await stack.api.db.pool.query(
    `select (details ->> 'rotation')::int as rotation, actor_kind from audit_log
     where target_id = $1 and action = 'key.secret_retired' order by id`,
    [id],
  );
  return rows;
};
const isMarked = async (secret: string): Promise<boolean> => {
  const { rows } = await stack.api.db.pool.query(
    'select retired_at is not null as marked from api_key_secrets where hash = $1',
    [hashSecret(secret)],
  );
  return rows[0]?.marked;
};
const newKey = () => buildKey(stack.api.db, tenant.siteId, tenant.memberId);

test('a replaced secret is valid for the grace, then refused and retired; its hash is kept', async () => {
  const { id, secret } = await newKey();
  const fresh = await rotate(id, 3_600);
  await inGrace(id);
  await stack.pass(59 * MINUTE);
  expect([await ping(secret), await ping(fresh), await isMarked(secret)]).toEqual(['works', 'works', false]);
  await stack.pass(2 * MINUTE);
  await ended(id);
  expect([await ping(secret), await ping(fresh)]).toEqual(['API_KEY_REVOKED', 'works']);
  expect([await isMarked(secret), await isMarked(fresh)]).toEqual([true, false]);
  expect(await retirements(id)).toEqual([{ rotation: 1, actor_kind: 'system' }]);
});

test('without a grace the secret is retired at once, without a workflow', async () => {
  const { id, secret } = await newKey();
  await rotate(id, 0);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['API_KEY_REVOKED', true]);
  const { rows } = await stack.api.db.pool.query('select from outbox where workflow_id = $1', [
    workflowIdOf('key-rotation', id),
  ]);
  expect(rows).toEqual([]);
  await expect(workflowOf(id).describe()).rejects.toThrow(/not found/i);
});

test('a later rotation with a shorter grace shortens the earlier one; one with a longer grace does not affect it', async () => {
  const { id, secret: first } = await newKey();
  const second = await rotate(id, 24 * 3_600);
  await inGrace(id);
  const third = await rotate(id, 3_600);
  await rotate(id, 48 * 3_600);
  await inGrace(id);
  await stack.pass(HOUR + MINUTE);
  await eventually('two secrets are retired', async () => (await retirements(id)).length === 2);
  expect([await ping(first), await ping(second), await ping(third)]).toEqual([
    'API_KEY_REVOKED',
    'API_KEY_REVOKED',
    'works',
  ]);
  expect((await retirements(id)).map(({ rotation }) => rotation).sort()).toEqual([1, 2]);
  await inGrace(id);
  await stack.pass(48 * HOUR);
  await ended(id);
  expect(await retirements(id)).toHaveLength(3);
});

test('each rotation is one message to the one workflow of the key, and at most 20 old secrets are in their grace', async () => {
  const { id } = await newKey();
  const { pool } = stack.api.db;
  await pool.query(`
    create function note_message() returns trigger language plpgsql as $$
      begin insert into noted_messages values (new.workflow_id); return new; end $$;
    create table noted_messages (workflow_id text);
    grant insert on noted_messages to public;
    create trigger noting before insert on outbox for each row execute function note_message()`);
  // Each shortens those before it.
  for (let number = 0; number < 20; number += 1) await rotate(id, 86_400 - number);
  const refused = await call('POST', `/keys/${id}/rotate`, { grace_seconds: 60 });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  expect(refused.json.error.message).toMatch(/20 old secrets.*Wait until.*grace_seconds 0/);
  const { rows } = await pool.query('select workflow_id from noted_messages');
  expect(rows).toEqual(Array.from({ length: 20 }, () => ({ workflow_id: workflowIdOf('key-rotation', id) })));
  await inGrace(id);
  await rotate(id, 0);
  await ended(id);
  expect(await retirements(id)).toHaveLength(20);
  await rotate(id, 60);
  await inGrace(id);
  await pool.query('drop trigger noting on outbox; drop function note_message; drop table noted_messages');
});

test('a rotation without a grace ends running ones', async () => {
  const { id, secret } = await newKey();
  const second = await rotate(id, 3_600);
  await inGrace(id);
  const third = await rotate(id, 0);
  await ended(id);
  expect([await ping(secret), await ping(second), await ping(third)]).toEqual([
    'API_KEY_REVOKED',
    'API_KEY_REVOKED',
    'works',
  ]);
  expect([await isMarked(secret), await isMarked(second)]).toEqual([true, true]);
});

test('revoking the key ends its graces', async () => {
  const { id, secret } = await newKey();
  await rotate(id, 3_600);
  await inGrace(id);
  expect((await call('DELETE', `/keys/${id}`)).status).toBe(204);
  await ended(id);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['API_KEY_REVOKED', true]);
});

test('a cut signal without a reason has no effect', async () => {
  const { id, secret } = await newKey();
  await rotate(id, 3_600);
  await inGrace(id);
  for (let times = 0; times < 3; times += 1) await workflowOf(id).signal('cut');
  await stack.pass(30 * MINUTE);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['works', false]);
});

test('a worker whose clock is behind retires the secret when its clock agrees, once', async () => {
  const { id, secret } = await newKey();
  stack.skewMs = -2_000;
  await rotate(id, 3_600);
  await inGrace(id);
  await stack.pass(HOUR + 10_000);
  await ended(id);
  expect(await isMarked(secret)).toBe(true);
  expect(await retirements(id)).toHaveLength(1);
});

test('the workflow is found by its key, and contains ids only', async () => {
  const { id, secret } = await newKey();
  const fresh = await rotate(id, 3_600);
  await inGrace(id);
  const { typedSearchAttributes: attributes } = await workflowOf(id).describe();
  expect([attributes.get(searchAttributes.keyId), attributes.get(searchAttributes.siteId)]).toEqual([
    id,
    tenant.siteId,
  ]);
  const history = JSON.stringify(await workflowOf(id).fetchHistory());
  for (const text of [secret, fresh, hashSecret(secret).toString('hex')]) expect(history).not.toContain(text);
});
