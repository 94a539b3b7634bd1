import { openWire } from '../../../tools/bench/costs/wire.ts';
import { createDatabase } from '../../../db/database.ts';
import { statement } from '../../../db/sql.ts';
import { createTestDatabase } from '../../support/database.ts';

test('the proxy counts a client’s statements and round trips, however they are packed', async () => {
  const database = await createTestDatabase();
  const wire = await openWire(database.url);
  const db = createDatabase({ connectionString: wire.url, applicationName: 'presswork-test', poolSize: 1 });
  await db.exec(statement`select 1`);

  const { statements, roundTrips } = { ...wire.count };
  await db.exec(statement`select 1`);
  expect(wire.count).toEqual({ statements: statements + 1, roundTrips: roundTrips + 1 });

  // BEGIN is sent with the first statement, and deferred statements with COMMIT.
  await db.transaction(async (tx) => {
    await tx.exec(statement`select 1`);
    await tx.exec(statement`select repeat('long', 100000)`);
    tx.atCommit(statement`select 1`);
  });
  expect(wire.count).toEqual({ statements: statements + 6, roundTrips: roundTrips + 4 });
  await db.close();
  await wire.close();
  await database.drop();
});
