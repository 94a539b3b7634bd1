import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { privileges } from '../../db/privileges.ts';
import { databaseRoles } from '../../db/roles.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase, urlOf } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { wholeRunbook } from '../support/runbook.ts';

let database: TestDatabase;
let application: pg.Client;
let support: pg.Client;
let migrator: pg.Client;

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};
const nameOf = (url: string): string => new URL(url).pathname.slice(1);

beforeAll(async () => {
  database = await createTestDatabase();
  const name = nameOf(database.url);
  // Privileges on a database are not copied with it.
  await migrate(urlOf('MIGRATION_DATABASE_URL', name));
  application = await connect(database.url);
  support = await connect(urlOf('SUPPORT_DATABASE_URL', name));
  migrator = await connect(urlOf('MIGRATION_DATABASE_URL', name));
  await buildTenant(database.db);
});
afterAll(async () => {
  await Promise.all([application, support, migrator].map((client) => client.end()));
  await database.drop();
});

interface Held {
  readonly application: readonly string[];
  readonly supportColumns: readonly string[];
  readonly supportElse: readonly string[];
}

/** The effective privileges of each role on each relation. */
async function holdings(): Promise<Record<string, Held>> {
  const { rows } = await database.db.pool.query(
    `select c.relname as relation,
       array(
         select verb from unnest($3::text[]) verb where has_table_privilege($1, c.oid, verb)
         union select verb || ' of a column' from unnest('{select,insert,update,references}'::text[]) verb
         where has_any_column_privilege($1, c.oid, verb) and not has_table_privilege($1, c.oid, verb)
       ) as application,
       array(
         select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and has_column_privilege($2, c.oid, a.attnum, 'select')
       ) as "supportColumns",
       array(
         select verb from unnest($3::text[]) verb where has_table_privilege($2, c.oid, verb)
         union select verb || ' of a column' from unnest('{insert,update,references}'::text[]) verb
         where has_any_column_privilege($2, c.oid, verb)
       ) as "supportElse"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    [
      databaseRoles.application,
      databaseRoles.support,
      ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'maintain'],
    ],
  );
  return Object.fromEntries(rows.map(({ relation, ...held }) => [relation, held]));
}

test('every table is listed, and each role has exactly the listed privileges', async () => {
  const held = await holdings();
  expect(Object.keys(held).length).toBeGreaterThan(40);
  expect(Object.keys(held).toSorted()).toEqual(Object.keys(privileges).toSorted());
  for (const [name, { application: may, support: sees }] of Object.entries(privileges)) {
    expect({ name, may: held[name]?.application.toSorted() }).toEqual({ name, may: [...may].toSorted() });
    expect({ name, sees: held[name]?.supportColumns.toSorted() }).toEqual({
      name,
      sees: [...sees].toSorted(),
    });
    expect({ name, else: held[name]?.supportElse }).toEqual({ name, else: [] });
  }
});

test('the ledger can only be added to; triggers decide what else may be changed or deleted', () => {
  expect(privileges['credit_ledger']?.application).toEqual(['select', 'insert']);
  // test/activities/site-deletion.test.ts, and test/db/audit-log.test.ts
  expect(privileges['prompt_versions']?.application).toEqual(['select', 'insert', 'delete']);
  expect(privileges['audit_log']?.application).toEqual(['select', 'insert', 'update', 'delete']);
});

test('the ledger is append-only even for the owner of the database', async () => {
  for (const text of [
    'update credit_ledger set amount = 1',
    'delete from credit_ledger',
    'truncate credit_ledger',
  ])
    await expect(migrator.query(text)).rejects.toThrow('credit_ledger takes new rows only');
});

test('the roles own nothing, have no server-wide privileges, and use no sequence', async () => {
  const { rows } = await database.db.pool.query(
    `select r.rolname as role, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls,
       has_database_privilege(r.oid, current_database(), 'create') as creates_schemas,
       has_schema_privilege(r.oid, 'public', 'create') as creates_tables,
       (select count(*)::int from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o') as owned,
       (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships,
       (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace
          and case c.relkind when 'S' then has_sequence_privilege(r.oid, c.oid, 'usage, select, update') end) as sequences
     from pg_roles r where r.rolname in ($1, $2) order by 1`,
    [databaseRoles.application, databaseRoles.support],
  );
  const nothing = {
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
    creates_schemas: false,
    creates_tables: false,
    owned: 0,
    memberships: 0,
    sequences: 0,
  };
  expect(rows).toEqual([
    { role: databaseRoles.application, ...nothing },
    { role: databaseRoles.support, ...nothing },
  ]);
});

test('support sees no column that could hold a secret, a hash, an address or a session', async () => {
  const { rows } = await database.db.pool.query(
    `select c.relname || '.' || a.attname as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and has_column_privilege($1, c.oid, a.attnum, 'select')
       and (
         a.atttypid = 'bytea'::regtype
         or a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
           and a.attname ~ '(hash|secret|salt|token|password|email|address|mac$|cursor_key|reader|subject|actor_name)'
         or c.relname ~ 'session'
       )`,
    [databaseRoles.support],
  );
  expect(rows).toEqual([]);
});

describe('the application', () => {
  test.each([
    `update audit_log set action = 'nothing'`,
    'update credit_ledger set amount = 1',
    'delete from credit_ledger',
    'update prompt_versions set template = template',
    'delete from organisations',
    'delete from api_keys',
    'truncate articles',
    'create table mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'create function mine() returns int language sql as $$ select 1 $$',
    'alter table articles add column mine int',
    'alter table audit_log disable trigger all',
    'drop table articles',
    'create index on articles (title)',
    'delete from schema_migrations',
    'create role mine',
    `set session_replication_role = replica`,
    `copy articles to '/tmp/articles'`,
    `select pg_read_file('/etc/passwd')`,
    `set role ${databaseRoles.migrator}`,
  ])('may not: %s', async (text) => {
    const refused = application.query(text).then(({ command }) => {
      throw new Error(`It was allowed: ${command}`);
    });
    await expect(refused).rejects.toMatchObject({ code: '42501' });
  });
});

describe('support', () => {
  test.each([
    'select hash from api_key_secrets',
    'select secret from webhook_endpoints',
    'select url from webhook_endpoints',
    'select cursor_key from sites',
    'select email from members',
    'select password_hash from members',
    'select author_email from comments',
    'select client_address from device_authorizations',
    'select code_hash from oauth_grants',
    'select family_hash from oauth_grants',
    'select refresh_hash from oauth_grants',
    'select body from approvals',
    'select body from idempotency_records',
    'select * from sessions',
    'select count(*) from session_members',
    'select salt from reader_salts',
    'select subject from rate_limit_counters',
    'select * from members',
    'select m from members m',
    'create temporary table mine (id int)',
    'select id from articles for update',
  ])('may not: %s', async (text) => {
    await expect(support.query(text)).rejects.toMatchObject({ code: expect.stringMatching(/42501|25006/) });
  });

  test.each([
    `update outbox set available_at = now()`,
    'delete from articles',
    `insert into audit_log (id, at, actor_kind, actor_name, action) values (gen_random_uuid(), now(), 'system', 'x', 'x')`,
  ])('may not, in a transaction that writes either: %s', async (text) => {
    await support.query('begin read write');
    await expect(support.query(text)).rejects.toMatchObject({ code: '42501' });
    await support.query('rollback');
  });

  test.each([
    `select id, kind, workflow_id, attempts, left(last_error, 80) from outbox order by id limit 20`,
    `select at, actor_kind, action, target_id, details from audit_log where action like 'webhook.%'`,
    `select count(*) from members`,
    `select id, status, scheduled_publish_at from articles`,
    'select name from schema_migrations',
  ])('may: %s', async (text) => {
    await expect(support.query(text)).resolves.toBeDefined();
  });

  test('may run every query of the runbook, and the application every change in it', async () => {
    const commands = [...wholeRunbook.matchAll(/psql "\$(DB|APPLICATION)" -c ('[^']*'|"[^"]*")/g)];
    expect(commands.length).toBeGreaterThan(10);
    const id = '0197a0c4-0000-7000-8000-000000000001';
    for (const [, role, quoted = ''] of commands) {
      const text = quoted.slice(1, -1).replaceAll(/'[A-Z]+_ID'/g, `'${id}'`);
      const client = role === 'DB' ? support : application;
      await client.query('begin');
      await expect(client.query(text)).resolves.toBeDefined();
      await client.query('rollback');
    }
  });

  test('is limited to short read-only statements', async () => {
    const show = async (name: string) => (await support.query(`show ${name}`)).rows[0][name];
    expect(await show('default_transaction_read_only')).toBe('on');
    expect(await show('statement_timeout')).toBe('30s');
  });
});

test('the migrator owns the schema, and is no superuser', async () => {
  await migrator.query('create table mine (id int primary key)');
  await migrator.query('drop table mine');
  await expect(migrator.query('create role mine')).rejects.toMatchObject({ code: '42501' });
  const { rows } = await migrator.query(
    `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
     and c.relkind in ('r', 'S') and pg_get_userbyid(c.relowner) <> current_user`,
  );
  expect(rows).toEqual([]);
});
