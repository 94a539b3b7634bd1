import { generateSecret } from '../../domain/access/key-secret.ts';
import { useApi } from '../support/api.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import { runAdmin } from './administrator.ts';
import type { Run } from './administrator.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

/** Runs `presswork admin key inspect` over the test's database. */
const run = (secret: string, input = ''): Promise<Run> =>
  runAdmin(['key', 'inspect', secret], { DATABASE_URL: api.url }, input);

const stateOf = async (secret: string): Promise<string> => (await run(secret)).json.key.state;

test('reports the key of a secret and its status, and never shows the secret', async () => {
  const { organisationId, siteId, memberId } = tenant;
  const { id, secret } = await buildKey(api.db, siteId, memberId, { heldByAgent: true });
  const { code, stdout, stderr, json } = await run(secret);
  expect([code, stderr]).toEqual([0, '']);
  const whose = { site: siteId, organisation: organisationId, member: memberId };
  const key = {
    id,
    name: expect.any(String),
    kind: 'secret',
    held_by_agent: true,
    drafts_only: false,
    ...whose,
    state: 'active',
  };
  expect(json).toEqual({ ours: true, key });
  expect(stdout).not.toContain(secret);
  await api.db.pool.query(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [id]);
  expect(await stateOf(secret)).toBe('expired');
  await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [id]);
  expect(await stateOf(secret)).toBe('revoked');
});

test('distinguishes a replaced secret from the current one', async () => {
  const { id, secret: first } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  const rotate = async (key: string, grace: number): Promise<string> => {
    const options = { key, body: { grace_seconds: grace }, idempotencyKey: true } as const;
    return (await api.request('POST', `/keys/${id}/rotate`, options)).data.secret;
  };
  const second = await rotate(first, 60);
  expect([await stateOf(first), await stateOf(second)]).toEqual(['grace', 'active']);
  await rotate(second, 0);
  expect(await stateOf(first)).toBe('revoked');
});

test('recognises a secret of another database by its checksum, and text that is not a secret', async () => {
  const foreign = generateSecret('secret');
  expect((await run(foreign)).json).toEqual({ ours: true, key: null });
  const wrong = foreign.slice(0, -1) + (foreign.endsWith('0') ? '1' : '0');
  for (const text of [wrong, 'hello']) expect((await run(text)).json).toEqual({ ours: false, key: null });
});

test('reads from standard input', async () => {
  const { json } = await run('-', `${generateSecret('publishable')}\n`);
  expect(json).toEqual({ ours: true, key: null });
});
