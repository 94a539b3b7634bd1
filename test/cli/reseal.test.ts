import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hasTheKey } from '../../domain/encryption-canary.ts';
import { resealSecrets } from '../../domain/reseal.ts';
import { createSecretBox } from '../../domain/secret-box.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import { startSecondFactor } from '../../domain/sign-in/second-factor.ts';
import { buildPerson, buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { runAdmin } from './administrator.ts';

const ENDPOINTS = 1_000;

let database: TestDatabase;
let siteId: string;
let oldKey: Buffer;
let newKey: Buffer;
let old: SecretBox;
let rotated: SecretBox;
let both: SecretBox;
let ids: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  ({ siteId } = await buildTenant(database.db));
  [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  old = createSecretBox(oldKey);
  rotated = createSecretBox(newKey);
  both = createSecretBox(newKey, oldKey);
  expect(await hasTheKey(database.db, old, new Date())).toBe(true);
  ids = Array.from({ length: ENDPOINTS }, () => randomUUID()).toSorted();
  await insert(ids, old);
});
afterEach(() => database.drop());

const insert = (added: readonly string[], box: SecretBox): Promise<unknown> =>
  database.db.pool.query(
    `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
     select id, $1, 'https://a.example/', '{article.published}', secret, now(), now()
     from unnest($2::uuid[], $3::bytea[]) as a (id, secret)`,
    [siteId, added, added.map((id) => box.seal(`whsec_${id}`, id))],
  );

const keys = (...list: readonly Buffer[]): string => list.map((key) => key.toString('base64')).join(',');
const reseal = (...list: readonly Buffer[]) =>
  runAdmin(['reseal'], { DATABASE_URL: database.url, ENCRYPTION_KEY: keys(...list) });

interface Stored {
  readonly id: string;
  readonly secret: Buffer;
  readonly version: number;
}
const stored = async (): Promise<Stored[]> =>
  (await database.db.pool.query('select id, secret, version from webhook_endpoints order by id')).rows;

/** What each secret is, by the new key alone. */
const opened = async (): Promise<string[]> =>
  (await stored()).map(({ id, secret }) => rotated.open(secret, id));
const startsWith = (box: SecretBox): Promise<boolean> => hasTheKey(database.db, box, new Date());

test('secrets of second factors are sealed with it, too', async () => {
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

test('killed in the middle, it has done a part that still opens, and the next run does the rest', async () => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: keys(newKey, oldKey),
  };
  const child = spawn(process.execPath, ['cli/main.ts', 'admin', 'reseal'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await once(child.stderr, 'data');
  child.kill('SIGKILL');
  await exited;

  const rows = await stored();
  const done = rows.filter(({ secret }) => both.isNewest(secret)).length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(ENDPOINTS);
  expect(rows.map(({ id, secret }) => both.open(secret, id))).toEqual(ids.map((id) => `whsec_${id}`));
  expect([await startsWith(old), await startsWith(both), await startsWith(rotated)]).toEqual([
    true,
    true,
    false,
  ]);

  expect((await reseal(newKey, oldKey)).json).toEqual({
    resealed: ENDPOINTS + 1 - done,
    already: done,
    unreadable: 0,
  });
  expect(await opened()).toEqual(ids.map((id) => `whsec_${id}`));
});

test('a secret that is rotated meanwhile stays the rotated one, whichever key it is sealed with', async () => {
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
  const run = await runAdmin(['reseal'], {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: `${keys(newKey)},short`,
  });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^ENCRYPTION_KEY: [^\n]+\n$/);
});
