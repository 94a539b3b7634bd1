import pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { DatabaseBusy, ranOutOfTime } from '../../db/failures.ts';
import type { Tenant } from '../../db/shares.ts';
import { statement } from '../../db/sql.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

/** The shares of a pool of eight: two of a Site, four of an organisation, and two for those who hold none. */
let database: TestDatabase;
let db: Database;
let blocker: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  blocker = new pg.Client(database.adminUrl);
  await blocker.connect();
});
afterAll(async () => {
  await blocker.end();
  await database.drop();
});
beforeEach(async () => {
  db = createDatabase({ connectionString: database.adminUrl, applicationName: 'shares', poolSize: 8 });
  await blocker.query('select pg_advisory_lock(1)');
});
afterEach(async () => {
  await blocker.query('select pg_advisory_unlock_all()');
  await db.close();
});

const tenant = (organisationId = newId()): Tenant => ({ siteId: newId(), organisationId });
const waits = statement`select pg_advisory_lock_shared(1)`;
/** Statements that wait until the test ends, as a slow one would. */
const flood = (of: Tenant, count = 10): void => {
  for (let number = 0; number < count; number += 1)
    db.of(of)
      .any(waits)
      .catch(() => {});
};
const running = async (): Promise<number> => {
  const { rowCount } = await blocker.query(
    `select from pg_stat_activity where application_name = 'shares' and wait_event = 'advisory'`,
  );
  return rowCount ?? 0;
};
/** The next statement of another organisation finds out whether more would have begun. */
const settlesAt = async (count: number): Promise<void> => {
  await eventually(`${count} statements run`, async () => (await running()) === count);
  await db.of(tenant()).one(statement`select 1`);
  expect(await running()).toBe(count);
};

test('a Site holds a quarter of the connections, by its reads and writes together', async () => {
  const site = tenant();
  flood(site, 5);
  for (let number = 0; number < 5; number += 1)
    void db
      .of(site)
      .transaction((tx) => tx.any(waits))
      .catch(() => {});
  await settlesAt(2);
});

test('an organisation holds half of them, however many Sites it has', async () => {
  const { organisationId } = tenant();
  for (let number = 0; number < 6; number += 1) flood(tenant(organisationId));
  await settlesAt(4);
});

test('the last quarter is for organisations that hold none', async () => {
  const [one, other] = [newId(), newId()];
  for (let number = 0; number < 4; number += 1) {
    flood(tenant(one));
    flood(tenant(other));
  }
  await settlesAt(6);
  flood(tenant());
  await settlesAt(7);
});

test('work without a Site takes no share', async () => {
  const { organisationId } = tenant();
  for (let number = 0; number < 4; number += 1) flood(tenant(organisationId));
  await settlesAt(4);
  for (let number = 0; number < 3; number += 1) db.any(waits).catch(() => {});
  await settlesAt(7);
});

test('who waits in vain is refused, and has sent nothing', async () => {
  const site = tenant();
  flood(site, 2);
  await settlesAt(2);
  await expect(db.of(site).one(statement`select 1`)).rejects.toThrow(DatabaseBusy);
});

test('a statement with a time is aborted when that is over, and its connection is used again', async () => {
  const error = await db
    .of(tenant())
    .until(performance.now() + 50)
    .any(waits)
    .catch((thrown: unknown) => thrown);
  expect(ranOutOfTime(error)).toBe(true);
  await eventually('nothing waits', async () => (await running()) === 0);
  expect(db.pool.totalCount).toBe(1);
});
