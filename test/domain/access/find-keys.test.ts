import { createKeyFinder } from '../../../domain/access/find-keys.ts';
import type { Found, KeyRow } from '../../../domain/access/find-keys.ts';
import { hashSecret } from '../../../domain/access/key-secret.ts';
import { buildKey, buildTenant } from '../../support/builders.ts';
import { sharedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

const database = await sharedDatabase();
const tenant = await buildTenant(database.db);

/** A finder, as in a process. @returns its answer for a secret, with the number of keys made from rows */
function finder() {
  const made = { times: 0 };
  const { find } = createKeyFinder(database.db, (row: KeyRow) => {
    made.times += 1;
    return row;
  });
  const one = async (secret: string): Promise<Found<KeyRow> | null> => {
    const [found] = await find([{ hash: hashSecret(secret), rateClass: 'read', now: new Date() }]);
    return found ?? null;
  };
  return { made, find, one };
}

test('a key is made once while its rows stay the same', async () => {
  const { made, one } = finder();
  const first = await one(tenant.secretKey);
  const second = await one(tenant.secretKey);
  expect(second?.key).toBe(first?.key);
  expect(made.times).toBe(1);
  expect(second?.numbers?.ofKey).toBe((first?.numbers?.ofKey as number) + 1);
});

describe('a change by another process applies to the next request', () => {
  const changes: readonly [member: keyof KeyRow, statement: string, shown: unknown][] = [
    ['key_name', `update api_keys set name = 'Another' where id = $1`, 'Another'],
    ['scopes', `update api_keys set scopes = '{meta:read}' where id = $1`, 'meta:read'],
    ['held_by_agent', `update api_keys set held_by_agent = true where id = $1`, true],
    ['expires_at', `update api_keys set expires_at = '2030-01-01' where id = $1`, new Date('2030-01-01')],
    ['last_used_at', `update api_keys set last_used_at = '2020-01-01' where id = $1`, new Date('2020-01-01')],
    ['revoked_at', `update api_keys set revoked_at = '2020-01-01' where id = $1`, new Date('2020-01-01')],
    [
      'valid_until',
      `update api_key_secrets set rotation = 1, valid_until = '2030-01-01' where key_id = $1`,
      new Date('2030-01-01'),
    ],
    [
      'retired_at',
      `update api_key_secrets set rotation = 1, valid_until = '2020-01-01', retired_at = '2020-01-01' where key_id = $1`,
      new Date('2020-01-01'),
    ],
    [
      'role',
      `update members set role = 'viewer' where id = (select member_id from api_keys where id = $1)`,
      'viewer',
    ],
    [
      'role',
      `update members set removed_at = now() where id = (select member_id from api_keys where id = $1)`,
      null,
    ],
    [
      'timezone',
      `update sites set timezone = 'Asia/Tokyo' where id = (select site_id from api_keys where id = $1)`,
      'Asia/Tokyo',
    ],
    [
      'agent_access',
      `update organisations set agent_access = false where id = (
        select organisation_id from sites where id = (select site_id from api_keys where id = $1))`,
      false,
    ],
    [
      'plan',
      `update organisations set plan = 'free' where id = (
        select organisation_id from sites where id = (select site_id from api_keys where id = $1))`,
      'free',
    ],
  ];

  test.each(changes)('%s: %s', async (member, statement, shown) => {
    const other = await buildTenant(database.db);
    const { id, secret } = await buildKey(database.db, other.siteId, other.memberId);
    const { made, one } = finder();
    await one(secret);
    expect((await one(secret))?.key[member]).not.toEqual(shown);
    expect(made.times).toBe(1);
    await database.db.pool.query(statement, [id]);
    expect((await one(secret))?.key[member]).toEqual(shown);
    expect(made.times).toBe(2);
  });

  test('writes are paused', async () => {
    const other = await buildTenant(database.db);
    const { made, one } = finder();
    expect((await one(other.secretKey))?.maintenance).toBeNull();
    await database.db.pool.query(
      'insert into maintenance (site_id, retry_after, started_at) values ($1, 7, now())',
      [other.siteId],
    );
    expect((await one(other.secretKey))?.maintenance).toBe(7);
    expect(made.times).toBe(1);
  });

  test('a key is deleted', async () => {
    const other = await buildTenant(database.db);
    const { id, secret } = await buildKey(database.db, other.siteId, other.memberId);
    const { one } = finder();
    await one(secret);
    await database.db.pool.query(
      `insert into deletions (target_id, kind, organisation_id, asked_at, asked_by, quiet_at)
       values ($1, 'site', $2, now(), 'olga', now())`,
      [other.siteId, other.organisationId],
    );
    await database.db.pool.query('delete from api_key_secrets where key_id = $1', [id]);
    expect(await one(secret)).toBeNull();
  });
});

test('a late answer does not replace a newer cached key', async () => {
  const other = await buildTenant(database.db);
  const { one } = finder();
  await one(other.secretKey);
  const client = await database.db.pool.connect();
  // Locks the counter: the first request waits with its known version, while a second process changes the key.
  await client.query('begin');
  await client.query('select from rate_limit_counters for update');
  const late = one(other.secretKey);
  const asking = async (): Promise<boolean> => {
    const { rowCount } = await database.db.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  };
  await eventually('the first request waits', asking);
  await database.db.pool.query('update sites set timezone = $2 where id = $1', [other.siteId, 'Asia/Tokyo']);
  const next = one(other.secretKey);
  await client.query('commit');
  client.release();
  expect((await late)?.key.timezone).toBe('Europe/Berlin');
  expect((await next)?.key.timezone).toBe('Asia/Tokyo');
  expect((await one(other.secretKey))?.key.timezone).toBe('Asia/Tokyo');
});

test('concurrent requests with one key, several keys and none each get their own result', async () => {
  const other = await buildTenant(database.db);
  const { find } = finder();
  const now = new Date();
  const asked = [tenant.secretKey, other.secretKey, 'nobody’s', other.secretKey, tenant.publishableKey];
  for (const round of [0, 1]) {
    const found = await find(asked.map((secret) => ({ hash: hashSecret(secret), rateClass: 'write', now })));
    expect(found.map((one) => one?.key.site_id ?? null)).toEqual([
      tenant.siteId,
      other.siteId,
      null,
      other.siteId,
      tenant.siteId,
    ]);
    const numbers = found.map((one) => one?.numbers);
    expect([numbers[1], numbers[3]]).toEqual(
      [2 * round + 1, 2 * round + 2].map((number) => ({
        ofKey: number,
        ofSite: number,
        ofOrganisation: number,
      })),
    );
    expect([numbers[0], numbers[4]]).toEqual(
      [2 * round + 1, 2 * round + 2].map((number) => ({
        ofKey: round + 1,
        ofSite: number,
        ofOrganisation: number,
      })),
    );
    expect([found[0]?.key.kind, found[4]?.key.kind]).toEqual(['secret', 'publishable']);
  }
});
