import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { operator } from '../../../domain/audit/record.ts';
import type { Act } from '../../../domain/audit/change.ts';
import { eraseMember } from '../../../domain/leaving/erase-member.ts';
import {
  deleteOrganisationRows,
  requestOrganisationDeletion,
} from '../../../domain/leaving/organisation-deletion.ts';
import {
  deletedTables,
  deleteRows,
  finishSiteDeletion,
  requestSiteDeletion,
} from '../../../domain/leaving/site-deletion.ts';
import { removeMember } from '../../../domain/organisations/organisations.ts';
import { readJson } from '../../../runtime/home.ts';
import { ensureDemo } from '../../../tools/dev/demo.ts';
import { createTestDatabase, poolMode } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { captureConsole } from './console.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ORGANISATION = '01990000-0000-7000-8000-000000000001';
const MEMBER = '01990000-0000-7000-8000-000000000002';
const SITE = '01990000-0000-7000-8000-000000000003';
const addresses = { base_url: 'http://127.0.0.1:3000/v1', temporal_ui_url: null };

let homes: string;
let home: string;
let database: TestDatabase;
const { lines } = captureConsole();

beforeEach(async () => {
  homes = temporaryFolder();
  home = newHome();
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  rmSync(homes, { recursive: true, force: true });
});

function newHome(): string {
  const folder = join(homes, randomUUID());
  mkdirSync(folder);
  return folder;
}

/** What `npm start` does with the demo. @returns whether there are keys */
const start = (folder = home): Promise<boolean> =>
  ensureDemo(folder, { connectionString: database.url, poolMode: poolMode() }, addresses);

const demoFile = (): unknown => readJson(join(home, 'demo.json'));
const withoutKeys = { ...addresses, secret_key: null, publishable_key: null };

const act = <T>(work: (act: Act) => Promise<T>): Promise<T> =>
  database.db.transaction((tx) => work({ tx, actor: operator, now: new Date() }));
const asked = (confirm: string) => ({ confirm, by: 'olga' });

const countOf = async (table: string): Promise<number> =>
  (await database.db.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;

async function deleteOrganisation(): Promise<void> {
  await act((change) => requestOrganisationDeletion(change, ORGANISATION, asked('Demo organisation')));
  for (const table of deletedTables) while ((await act(({ tx }) => deleteRows(tx, SITE, table, 1_000))) > 0);
  await act(({ tx, now }) => finishSiteDeletion(tx, SITE, now));
  while ((await act(({ tx, now }) => deleteOrganisationRows(tx, ORGANISATION, 1_000, now))) > 0);
}

test('a later start keeps the demo and its keys', async () => {
  expect(await start()).toBe(true);
  const made = demoFile();
  expect(made).toEqual({
    ...addresses,
    secret_key: expect.any(String),
    publishable_key: expect.any(String),
  });
  expect(await start()).toBe(true);
  expect(demoFile()).toEqual(made);
  expect(await countOf('organisations')).toBe(1);
});

test('first starts at the same time on one database make one demo, each with keys of its own', async () => {
  expect(await Promise.all([start(newHome()), start(newHome()), start(newHome())])).toEqual([
    true,
    true,
    true,
  ]);
  expect([await countOf('organisations'), await countOf('sites')]).toEqual([1, 1]);
  expect(await countOf('api_keys')).toBe(6);
});

const gone: [what: string, work: (change: Act) => Promise<unknown>][] = [
  ['a removed owner', (change) => removeMember(change, MEMBER)],
  ['an erased owner', (change) => eraseMember(change, MEMBER, asked('owner@demo.example'))],
  ['a deleted Site', (change) => requestSiteDeletion(change, SITE, asked('The Slow Kitchen'))],
];

test.each(gone)(
  '%s is no reason not to start: there are no keys then, which one line says',
  async (_, work) => {
    await start();
    await act(work);
    for (let again = 0; again < 2; again += 1) expect(await start()).toBe(false);
    expect(demoFile()).toEqual(withoutKeys);
    const line = 'Demo: without keys. Its Site or its owner has been deleted.';
    expect(lines).toEqual([line, line]);
  },
);

test('a deleted demo organisation is not made again', async () => {
  await start();
  await deleteOrganisation();
  expect(await start()).toBe(false);
  expect([await countOf('organisations'), await countOf('sites')]).toEqual([0, 0]);
  expect(demoFile()).toEqual(withoutKeys);
});
