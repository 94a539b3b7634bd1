import { hashSecret } from '../../domain/access/key-secret.ts';
import { keyRotationId } from '../../domain/access/key-graces.ts';
import { searchAttributes } from '../../temporal/names.ts';
import type { KeyRotationState } from '../../workflows/key-rotation.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startSkippedTime } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: SkippedTime;
let tenant: Tenant;

beforeAll(async () => {
  world = await startSkippedTime();
  tenant = await buildTenant(world.api.db);
});
afterAll(() => world.close());
afterEach(() => {
  world.skewMs = 0;
});

const process = (id: string, rotation: number) =>
  world.temporal.client.workflow.getHandle(keyRotationId(id, rotation));
const stateOf = (id: string, rotation: number): Promise<KeyRotationState | null> =>
  process(id, rotation)
    .query<KeyRotationState>('state')
    .catch(() => null);
const inGrace = (id: string, rotation: number): Promise<void> =>
  eventually(
    `rotation ${rotation} is in its grace`,
    async () => (await stateOf(id, rotation))?.state === 'grace',
  );
const ended = (id: string, rotation: number): Promise<void> =>
  eventually(
    `the process of rotation ${rotation} has ended`,
    async () => (await process(id, rotation).describe()).status.name === 'COMPLETED',
  );
const call = (method: string, path: string, body?: object) =>
  world.api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const ping = async (key: string): Promise<string> => {
  const answer = await world.api.request('GET', '/ping', { key });
  return answer.status === 200 ? 'works' : answer.json.error.code;
};
const rotate = async (id: string, grace: number): Promise<string> => {
  const answer = await call('POST', `/keys/${id}/rotate`, { grace_seconds: grace });
  expect(answer.status).toBe(200);
  return answer.data.secret;
};
/** Which rotation's secret is retired, and who is said to have done it. */
const retirements = async (id: string) => {
  const { rows } = await world.api.db.pool.query(
    `select (details ->> 'rotation')::int as rotation, actor_kind from audit_log
     where target_id = $1 and action = 'key.secret_retired' order by id`,
    [id],
  );
  return rows;
};
const isMarked = async (secret: string): Promise<boolean> => {
  const { rows } = await world.api.db.pool.query(
    'select retired_at is not null as marked from api_key_secrets where hash = $1',
    [hashSecret(secret)],
  );
  return rows[0]?.marked;
};
const newKey = () => buildKey(world.api.db, tenant.siteId, tenant.memberId);

test('a replaced secret is good for the grace, then refused and marked; its hash is kept', async () => {
  const { id, secret } = await newKey();
  const fresh = await rotate(id, 3_600);
  await inGrace(id, 1);
  await world.pass(59 * MINUTE);
  expect([await ping(secret), await ping(fresh), await isMarked(secret)]).toEqual(['works', 'works', false]);
  await world.pass(2 * MINUTE);
  await ended(id, 1);
  expect([await ping(secret), await ping(fresh)]).toEqual(['API_KEY_REVOKED', 'works']);
  expect([await isMarked(secret), await isMarked(fresh)]).toEqual([true, false]);
  expect(await retirements(id)).toEqual([{ rotation: 1, actor_kind: 'system' }]);
});

test('a grace of none cuts at once, marks the secret, and needs no process', async () => {
  const { id, secret } = await newKey();
  await rotate(id, 0);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['API_KEY_REVOKED', true]);
  const { rows } = await world.api.db.pool.query('select from outbox where workflow_id = $1', [
    keyRotationId(id, 1),
  ]);
  expect(rows).toEqual([]);
  await expect(process(id, 1).describe()).rejects.toThrow(/not found/i);
});

test('a later rotation with a shorter grace cuts the earlier one; with a longer one it leaves it', async () => {
  const { id, secret: first } = await newKey();
  const second = await rotate(id, 24 * 3_600);
  await inGrace(id, 1);
  const third = await rotate(id, 3_600);
  await inGrace(id, 2);
  await eventually('the first grace is known to be shorter', async () => {
    const [one, two] = await Promise.all([stateOf(id, 1), stateOf(id, 2)]);
    return one?.until === two?.until;
  });
  await rotate(id, 48 * 3_600);
  await inGrace(id, 3);
  await world.pass(HOUR + MINUTE);
  await Promise.all([ended(id, 1), ended(id, 2)]);
  expect([await ping(first), await ping(second), await ping(third)]).toEqual([
    'API_KEY_REVOKED',
    'API_KEY_REVOKED',
    'works',
  ]);
  expect((await retirements(id)).map(({ rotation }) => rotation).sort()).toEqual([1, 2]);
  expect((await stateOf(id, 3))?.state).toBe('grace');
});

test('a rotation without grace ends what runs', async () => {
  const { id, secret } = await newKey();
  const second = await rotate(id, 3_600);
  await inGrace(id, 1);
  const third = await rotate(id, 0);
  await ended(id, 1);
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
  await inGrace(id, 1);
  expect((await call('DELETE', `/keys/${id}`)).status).toBe(204);
  await ended(id, 1);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['API_KEY_REVOKED', true]);
});

test('a cut that nobody asked for cuts nothing', async () => {
  const { id, secret } = await newKey();
  await rotate(id, 3_600);
  await inGrace(id, 1);
  for (let times = 0; times < 3; times += 1) await process(id, 1).signal('cut');
  await world.pass(30 * MINUTE);
  expect([await ping(secret), await isMarked(secret)]).toEqual(['works', false]);
});

test('a worker whose clock is behind marks the secret when its clock agrees, once', async () => {
  const { id, secret } = await newKey();
  world.skewMs = -2_000;
  await rotate(id, 3_600);
  await inGrace(id, 1);
  await world.pass(HOUR + 10_000);
  await ended(id, 1);
  expect(await isMarked(secret)).toBe(true);
  expect(await retirements(id)).toHaveLength(1);
});

test('the process is found by its key, and tells nothing but ids', async () => {
  const { id, secret } = await newKey();
  const fresh = await rotate(id, 3_600);
  await inGrace(id, 1);
  const { typedSearchAttributes: attributes } = await process(id, 1).describe();
  expect([attributes.get(searchAttributes.keyId), attributes.get(searchAttributes.siteId)]).toEqual([
    id,
    tenant.siteId,
  ]);
  const history = JSON.stringify(await process(id, 1).fetchHistory());
  for (const text of [secret, fresh, hashSecret(secret).toString('hex')]) expect(history).not.toContain(text);
});
