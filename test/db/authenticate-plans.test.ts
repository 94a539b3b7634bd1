import { createDatabase } from '../../db/database.ts';
import { createAuthenticate } from '../../domain/access/authenticate.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';

test.each([1, 4])(
  'keys that are asked for %s at a time are found by a plan that is made once',
  async (together) => {
    const database = await createTestDatabase();
    const { secretKey } = await buildTenant(database.db);
    const db = createDatabase({
      connectionString: database.url,
      applicationName: 'presswork-test',
      poolSize: 1,
    });
    const authenticate = createAuthenticate(db);
    for (let times = 0; times < 10; times += 1)
      await Promise.all(Array.from({ length: together }, () => authenticate(secretKey, 'read', new Date())));
    const { rows } = await db.pool.query(`
    select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
    where statement like '%with asked as%'`);
    expect(rows).toEqual([{ custom: 5, generic: 5 }]);
    await db.close();
    await database.drop();
  },
);
