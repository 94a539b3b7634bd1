import type { Query } from '../../../db/statements.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { recordFailedSignIn } from '../../../domain/sign-in/audit.ts';
import { buildTenant } from '../../support/builders.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

const ORGANISATIONS = 20_000;
let database: TestDatabase;
let organisationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ organisationId } = await buildTenant(database.db));
  await database.db.pool.query(
    `with others as (
       insert into organisations select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
       from organisations o, generate_series(1, ${ORGANISATIONS}) n where o.id = $1
       returning id
     ), all_of_them as (select id, row_number() over () as number from others union all select $1, 0)
     insert into members (id, organisation_id, email, role, created_at)
     select gen_random_uuid(), id, 'Person' || number || '@members.example', 'viewer', now() from all_of_them`,
    [organisationId],
  );
  await database.db.pool.query('vacuum analyze members');
});
afterAll(() => database.drop());

test('a failed sign-in is recorded also for a member without a password, and reads no other members', async () => {
  const reads: Query[] = [];
  await database.db.transaction((tx) => {
    const any = ((query: Query) => (reads.push(query), tx.any(query))) as Transaction['any'];
    return recordFailedSignIn({ ...tx, any }, 'PERSON0@members.example', 'a-request', new Date());
  });
  const [{ sql, values }] = reads as [Query];
  const given = values.map((value) => `'${String(value)}'`);
  const { rows: plan } = await database.db.pool.query(
    `explain (analyze, buffers, format json) ${sql.replace(/\$slonik_(\d+)/g, (_, number) => given[number - 1] ?? '')}`,
  );
  expect(plan[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(20);
  const { rows } = await database.db.pool.query(
    `select actor_name, request_id from audit_log where action = 'sign_in.fail' and organisation_id = $1`,
    [organisationId],
  );
  expect(rows).toEqual([{ actor_name: 'Person0@members.example', request_id: 'a-request' }]);
});
