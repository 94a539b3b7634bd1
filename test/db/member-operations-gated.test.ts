import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { readSettingsOf } from '../../domain/organisations/settings.ts';
import { buildOrganisation } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an organisation with its own list of gated operations also gates changes of members; the others keep the default', async () => {
  const { db } = database;
  const [chose, choseNone, never] = [
    await buildOrganisation(db),
    await buildOrganisation(db),
    await buildOrganisation(db),
  ];
  await db.pool.query(`update organisations set approval_operations = '{key.create}' where id = $1`, [chose]);
  await db.pool.query(`update organisations set approval_operations = '{}' where id = $1`, [choseNone]);
  const file = join(root, 'db/migrations/20261122002200_member-operations-gated.sql');
  await db.pool.query(readFileSync(file, 'utf8'));
  const members = ['member.add', 'member.role', 'member.remove'];
  const settings = await Promise.all([chose, choseNone, never].map((id) => readSettingsOf(db, id)));
  expect(settings.map(({ approval_operations, version }) => [approval_operations, version])).toEqual([
    [['key.create', ...members], 2],
    [members, 2],
    [null, 1],
  ]);
});
