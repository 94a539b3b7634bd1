import { randomBytes, randomUUID } from 'node:crypto';
import { resealSecrets } from '../../domain/kernel/reseal.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import type { SecretBox } from '../../domain/kernel/secret-box.ts';
import { startSecondFactor } from '../../domain/sign-in/second-factor.ts';
import { buildPerson, buildTenant } from '../support/builders.ts';
import { runAdmin } from './administrator.ts';
import { buildSealedEndpoints, ENDPOINTS } from './sealed-endpoints.ts';
import type { SealedEndpoints } from './sealed-endpoints.ts';

let sealed: SealedEndpoints;

beforeEach(async () => {
  sealed = await buildSealedEndpoints();
});
afterEach(() => sealed.database.drop());

test('secrets of second factors are sealed with it, too', async () => {
  const { database, oldKey, newKey, old, rotated, reseal } = sealed;
  const { organisationId } = await buildTenant(database.db);
  const { memberId } = await buildPerson(database.db, organisationId);
  const secret = await database.db.transaction((tx) =>
    startSecondFactor(tx, old, { memberships: [{ memberId, organisationId }] }, new Date()),
  );
  expect(await reseal(newKey, oldKey)).toMatchObject({
    code: 0,
    json: { resealed: ENDPOINTS + 2, already: 0, unreadable: 0 },
  });
  const { rows } = await database.db.pool.query('select secret from second_factors');
  expect(rows.map((row) => rotated.open(row.secret, memberId))).toEqual([secret]);
});

test('after it, the new key alone opens everything and a process starts with it; the old one does not', async () => {
  const { ids, oldKey, newKey, old, rotated, both, reseal, stored, opened, startsWith } = sealed;
  const versions = (await stored()).map(({ version }) => version);
  expect(await startsWith(rotated)).toBe(false);
  const run = await reseal(newKey, oldKey);
  expect(run).toMatchObject({ code: 0, json: { resealed: ENDPOINTS + 1, already: 0, unreadable: 0 } });
  expect(run.stderr.trim().split('\n').at(-1)).toBe(`${ENDPOINTS} sealed now, 0 before, 0 unreadable`);
  expect(await opened()).toEqual(ids.map((id) => `whsec_${id}`));
  expect([await startsWith(rotated), await startsWith(both), await startsWith(old)]).toEqual([
    true,
    true,
    false,
  ]);
  // Clients see no change.
  expect((await stored()).map(({ version }) => version)).toEqual(versions);
  expect((await reseal(newKey)).json).toEqual({ resealed: 0, already: ENDPOINTS + 1, unreadable: 0 });
});

test('a secret that is rotated meanwhile stays the rotated one, whichever key it is sealed with', async () => {
  const { database, ids, old, rotated, both, stored } = sealed;
  const [first = '', second = '', third = ''] = ids;
  let rotations = 0;
  let meanwhile: Promise<unknown> = Promise.resolve();
  const put = (id: string, box: SecretBox) =>
    database.db.pool.query('update webhook_endpoints set secret = $2 where id = $1', [
      id,
      box.seal(`whsec_rotated ${id}`, id),
    ]);
  // Between reading a secret and writing it again.
  const racing: SecretBox = {
    ...both,
    open(sealed, owner) {
      const secret = both.open(sealed, owner);
      if (rotations === 0) {
        rotations += 1;
        meanwhile = Promise.all([put(first, old), put(second, both)]).then(() =>
          database.db.pool.query('delete from webhook_endpoints where id = $1', [third]),
        );
      }
      return secret;
    },
  };
  const db = { ...database.db, exec: async (query: never) => (await meanwhile, database.db.exec(query)) };
  const counts = await resealSecrets(db as typeof database.db, racing, () => {});
  expect(counts.unreadable).toBe(0);
  expect(rotations).toBe(1);
  const secrets = new Map((await stored()).map(({ id, secret }) => [id, rotated.open(secret, id)]));
  expect(secrets.get(first)).toBe(`whsec_rotated ${first}`);
  expect(secrets.get(second)).toBe(`whsec_rotated ${second}`);
  expect(secrets.size).toBe(ENDPOINTS - 1);
});

test('a secret that no key opens is counted, the others are sealed, and the canary keeps the old key needed', async () => {
  const { ids, oldKey, newKey, rotated, insert, reseal, stored, startsWith } = sealed;
  const lost = randomUUID();
  await insert([lost], createSecretBox(randomBytes(32)));
  const run = await reseal(newKey, oldKey);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr.trim().split('\n').at(-1)).toMatch(
    /^ENCRYPTION_KEY: 1 secrets are sealed with a key that is not/,
  );
  const rest = (await stored()).filter(({ id }) => id !== lost);
  expect(rest.map(({ id, secret }) => rotated.open(secret, id))).toEqual(ids.map((id) => `whsec_${id}`));
  expect(await startsWith(rotated)).toBe(false);
});

test('wrong keys are refused with one line', async () => {
  const { newKey, env } = sealed;
  const run = await runAdmin(['reseal'], {
    ...env(newKey),
    ENCRYPTION_KEY: `${env(newKey)['ENCRYPTION_KEY']},short`,
  });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^ENCRYPTION_KEY: [^\n]+\n$/);
});
