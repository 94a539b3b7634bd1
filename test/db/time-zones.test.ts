import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTimezone } from '../../domain/organisations/timezones.ts';
import { root } from '../../runtime/home.ts';
import { buildOrganisation, buildSite } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const repair = readFileSync(
  join(root, 'db/migrations/20261128010000_time-zones-that-scheduling-knows.sql'),
  'utf8',
);

/** What the migration makes of the time zones of Sites. */
async function repaired(before: readonly string[]): Promise<(readonly [string, number])[]> {
  const { db } = database;
  const organisation = await buildOrganisation(db);
  const ids: string[] = [];
  for (const timezone of before) ids.push(await buildSite(db, organisation, { timezone }));
  await db.pool.query(repair);
  const { rows } = await db.pool.query<{ id: string; timezone: string; version: number }>(
    'select id, timezone, version from sites where id = any($1)',
    [ids],
  );
  const byId = new Map(rows.map(({ id, timezone, version }) => [id, [timezone, version] as const]));
  return ids.map((id) => byId.get(id)!);
}

test('a time zone that scheduling does not know becomes what was shown, or UTC where that was wrong', async () => {
  expect(
    await repaired(['PST', 'Pst', 'IST', 'BST', 'SystemV/EST5EDT', 'US/Pacific-New', 'Asia/kolkata']),
  ).toEqual([
    ['America/Los_Angeles', 2],
    ['America/Los_Angeles', 2],
    ['Asia/Kolkata', 2],
    ['UTC', 2],
    ['America/New_York', 2],
    ['America/Los_Angeles', 2],
    ['Asia/Kolkata', 2],
  ]);
});

test('a time zone that it knows stays', async () => {
  const known = ['Europe/Berlin', 'EST', 'US/Pacific', 'UTC', 'Asia/Calcutta', 'Etc/GMT+5'];
  expect(await repaired(known)).toEqual(known.map((name) => [name, 1]));
});

test('each name that ICU alone reads is repaired, and so is each link in another case', async () => {
  const { rows } = await database.db.pool.query<{ name: string }>('select name from pg_timezone_names');
  const abbreviations =
    'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST';
  const dropped = [
    'AST4ADT',
    'AST4',
    'EST5EDT',
    'EST5',
    'CST6CDT',
    'CST6',
    'MST7MDT',
    'MST7',
    'PST8PDT',
    'PST8',
  ];
  const before = [
    ...abbreviations.split(' '),
    ...[...dropped, 'YST9YDT', 'YST9', 'HST10'].map((name) => `SystemV/${name}`),
    'Canada/East-Saskatchewan',
    ...rows.filter(({ name }) => isTimezone(name)).map(({ name }) => name.toUpperCase()),
  ];
  const after = (await repaired(before)).map(([name]) => name);
  expect(after.filter((name) => !isTimezone(name))).toEqual([]);
}, 120_000);
