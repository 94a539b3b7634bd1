import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { privileges } from '../../db/privileges.ts';
import { databaseRoles } from '../../db/roles.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { asAdmin, urlOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let api: TestApi;
let folder: string;
/** The URL of the migrating role. */
let url: string;

beforeEach(async () => {
  api = await startApi();
  url = urlOf('MIGRATION_DATABASE_URL', new URL(api.url).pathname.slice(1));
  folder = await mkdtemp(join(tmpdir(), 'presswork-migrations-'));
  // The folder of a later version: earlier migrations without text, and new ones.
  const { rows } = await api.db.pool.query('select name from schema_migrations');
  for (const { name } of rows) await write(name, '');
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string): Promise<void> =>
  writeFile(join(folder, `${name}.sql`), `-- Up Migration${text}`);
const columnsOf = async (table: string): Promise<string[]> =>
  (
    await api.db.pool.query(
      `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
  ).rows.map(({ attname }) => attname);

const addColumn = '\nalter table articles add column reading_minutes integer;';
const addIndex = `, without a transaction

-- What an attempt that was broken off has left is of no use.
drop index concurrently if exists articles_reading_minutes_idx;
create index concurrently articles_reading_minutes_idx
  on articles (site_id, reading_minutes);
`;

test('several at once wait for one another, and each migration runs once', async () => {
  await write('99990101000000_add-column', addColumn);
  await write('99990101000100_add-index', addIndex);
  await write(
    '99990101000200_note',
    `\ninsert into maintenance (retry_after, started_at) values (1, now());`,
  );
  const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(url, folder)));
  expect(ran.flat().toSorted()).toEqual([
    '99990101000000_add-column',
    '99990101000100_add-index',
    '99990101000200_note',
  ]);
  expect((await api.db.pool.query('select from maintenance')).rowCount).toBe(1);
});

test('one that landed after one with a later name still runs', async () => {
  await write('99990101000100_add-index', addIndex.replaceAll('reading_minutes', 'title'));
  expect(await migrate(url, folder)).toEqual(['99990101000100_add-index']);
  await write('99990101000000_add-column', addColumn);
  expect(await migrate(url, folder)).toEqual(['99990101000000_add-column']);
  expect(await columnsOf('articles')).toContain('reading_minutes');
});

test('a failed one leaves nothing behind, and the next attempt continues there', async () => {
  await write('99990101000000_add-column', addColumn);
  await write('99990101000100_fails', '\nalter table tags add column extra integer;\nselect 1 / 0;');
  await expect(migrate(url, folder)).rejects.toThrow(/division by zero/);
  expect(await columnsOf('articles')).toContain('reading_minutes');
  expect(await columnsOf('tags')).not.toContain('extra');
  await write('99990101000100_fails', '\nalter table tags add column extra integer;');
  expect(await migrate(url, folder)).toEqual(['99990101000100_fails']);
});

test('an index whose build was interrupted is built again', async () => {
  await write('99990101000000_add-column', addColumn);
  await migrate(url, folder);
  await write('99990101000100_add-index', addIndex);
  const { pool } = api.db;
  const { siteId } = await buildTenant(api.db);
  // An old snapshot delays a concurrent index build.
  const old = await pool.connect();
  await old.query('begin isolation level repeatable read');
  await old.query('select from articles');
  const valid = async () =>
    (
      await pool.query(
        `select indisvalid from pg_index where indexrelid = to_regclass('articles_reading_minutes_idx')`,
      )
    ).rows[0]?.indisvalid;
  await pool.query('update sites set name = name where id = $1', [siteId]);
  const broken = migrate(url, folder).catch((error: unknown) => error);
  await eventually('the index is being built', async () => (await valid()) === false, 10);
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'presswork-migrate'`);
  expect(await broken).toBeInstanceOf(Error);
  expect(await valid()).toBe(false);
  await old.query('rollback');
  old.release();
  expect(await migrate(url, folder)).toEqual(['99990101000100_add-index']);
  expect(await valid()).toBe(true);
});

test('no request fails while articles get a column and an index, even during a long transaction', async () => {
  const { secretKey: key } = await buildTenant(api.db);
  const article = await buildArticle(api, key, { title: 'Before', content: 'Text.' });
  await write('99990101000000_add-column', addColumn);
  await write('99990101000100_add-index', addIndex);
  await write(
    '99990101000200_add-check',
    `\nalter table articles add constraint articles_reading_minutes_check check (reading_minutes > 0) not valid;`,
  );
  await write(
    '99990101000300_validate-check',
    `, without a transaction\nalter table articles validate constraint articles_reading_minutes_check;\n`,
  );

  const statuses = new Map<string, number>();
  const migrating = new AbortController();
  let requests = 0;
  // Rate limits are not under test.
  const forget = setInterval(() => void api.db.pool.query('delete from rate_limit_counters'), 200);
  const traffic = async (number: number): Promise<void> => {
    for (let turn = 0; !migrating.signal.aborted; turn += 1) {
      const answers = [
        await api.request('GET', '/articles?limit=5', { key }),
        await api.request('GET', `/articles/${article.id}`, { key }),
        await api.request('PATCH', `/articles/${article.id}`, {
          key,
          body: { excerpt: `${number} ${turn}` },
        }),
        await api.request('POST', '/articles', {
          key,
          body: { title: `${number} ${turn}` },
          idempotencyKey: true,
        }),
      ];
      for (const { status } of answers) statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1);
      requests += answers.length;
    }
  };
  const old = await api.db.pool.connect();
  await old.query('begin');
  await old.query('select from articles limit 1');
  const clients = Array.from({ length: 6 }, (_, number) => traffic(number));
  const migrated = migrate(url, folder);
  await eventually(
    'the migration waits for the long transaction, and traffic for the migration',
    async () =>
      (
        await api.db.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and application_name in ('presswork-migrate', 'presswork-test')`,
        )
      ).rowCount! > 1,
    5,
  );
  const before = requests;
  await eventually('traffic continues although it has not ended', () => requests > before + 100, 20);
  await old.query('commit');
  old.release();
  expect(await migrated).toHaveLength(4);
  migrating.abort();
  await Promise.all(clients);
  clearInterval(forget);
  expect([...statuses.keys()].toSorted()).toEqual(['200', '201']);
});

test('a role that may not change the schema is refused with the variable of the one that may', async () => {
  expect(await migrate(api.url, folder)).toEqual([]);
  await write('99990101000000_add-column', addColumn);
  await expect(migrate(api.url, folder)).rejects.toThrow(/^MIGRATION_DATABASE_URL: 1 migrations are pending/);
});

test('a member of the owner creates tables that belong to the owner; the roles get exactly their privileges', async () => {
  const { pool } = api.db;
  await pool.query(`
    grant truncate on audit_log to ${databaseRoles.application};
    grant select on members to ${databaseRoles.support};
    revoke select on articles from ${databaseRoles.application};
    grant create on schema public to public`);
  await write('99990101000000_new-table', '\ncreate table undecided (id uuid primary key);');
  await migrate(api.adminUrl, folder);
  const { rows } = await pool.query(
    `select pg_get_userbyid(relowner) as owner, has_table_privilege($1, oid, 'select') as may,
       has_table_privilege($1, 'audit_log', 'truncate') as rewrites,
       has_table_privilege($1, 'articles', 'select') as reads,
       has_column_privilege($2, 'members', 'email', 'select') as sees,
       has_schema_privilege($2, 'public', 'create') as creates
     from pg_class where relname = 'undecided'`,
    [databaseRoles.application, databaseRoles.support],
  );
  expect(Object.keys(privileges)).not.toContain('undecided');
  expect(rows).toEqual([
    { owner: databaseRoles.migrator, may: false, rewrites: false, reads: true, sees: false, creates: false },
  ]);
});

test('a database with a single role is migrated without granting anything to others', async () => {
  const name = new URL(api.url).pathname.slice(1);
  await asAdmin(`alter database ${name} owner to presswork`);
  await api.db.pool.query(`revoke all on all tables in schema public from ${databaseRoles.application}`);
  await migrate(api.adminUrl, folder);
  const { rows } = await api.db.pool.query(`select has_table_privilege($1, 'articles', 'select') as reads`, [
    databaseRoles.application,
  ]);
  expect(rows).toEqual([{ reads: false }]);
});

test('a process of the version before, started again while a newer one rolls out, takes nothing away from it', async () => {
  const { pool } = api.db;
  const older = await mkdtemp(join(tmpdir(), 'presswork-migrations-'));
  await cp(folder, older, { recursive: true });
  await write('99990101000000_notes', '\ncreate table remarks (id uuid primary key);');
  await migrate(url, folder);
  // As the newer version declares it.
  await pool.query(`grant select on remarks to ${databaseRoles.application}`);
  await pool.query(`revoke select on articles from ${databaseRoles.application}`);
  expect(await migrate(url, older)).toEqual([]);
  const { rows } = await pool.query(
    `select has_table_privilege($1, 'remarks', 'select') as remarks, has_table_privilege($1, 'articles', 'select') as articles`,
    [databaseRoles.application],
  );
  expect(rows).toEqual([{ remarks: true, articles: true }]);
  await rm(older, { recursive: true });
});
