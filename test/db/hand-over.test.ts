import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { prepareRoles } from '../../db/roles.ts';
import { freePort } from '../../runtime/free-port.ts';
import { loadCredentials } from '../../tools/dev/home.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from '../../tools/dev/postgres.ts';
import { Supervised } from '../../tools/dev/supervised.ts';

/** Its own server, because roles belong to the whole server. */
let home: string;
let server: Supervised;
let superuser: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'presswork-roles-'));
  const { service, url } = embeddedPostgres({
    folder: join(home, 'postgres'),
    port: await freePort(),
    password: loadCredentials(home).postgresPassword,
    logFile: join(home, 'postgres.log'),
    settings: { max_connections: '20', shared_buffers: '16MB', fsync: 'off' },
  });
  server = new Supervised(service, () => {});
  server.start();
  superuser = url;
  await preparePostgres(url);
});
afterAll(async () => {
  await server.stop(10_000);
  rmSync(home, { recursive: true, force: true });
});

async function ask(url: string, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a database owned by one role is handed over by that role without superuser rights, repeatedly', async () => {
  await ask(superuser, `create role manager login createrole createdb password 'manager'`);
  await ask(superuser, 'create database managed owner manager');
  const own = new URL(superuser);
  own.pathname = '/managed';
  const roles = roleUrls(own.href, loadCredentials(home));
  own.username = own.password = 'manager';
  const applied = await migrate(own.href);
  await ask(
    own.href,
    `insert into organisations (id, name, plan, created_at) values (uuidv7(), 'Kept', 'free', now())`,
  );

  await prepareRoles(own.href, roles);
  expect(await migrate(roles.migrator)).toEqual([]);
  for (const url of [roles.application, roles.support])
    expect(await ask(url, 'select name from organisations')).toEqual([{ name: 'Kept' }]);
  expect(
    await ask(
      roles.migrator,
      `select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace`,
    ),
  ).toEqual([{ owner: 'presswork_migrator' }]);
  await expect(ask(roles.application, 'delete from credit_ledger')).rejects.toThrow(/permission denied/);
  expect(applied.length).toBeGreaterThan(1);

  // For an empty database, the application gets the same error as for pending migrations.
  await ask(superuser, 'create database empty');
  const elsewhere = new URL(roles.application);
  elsewhere.pathname = '/empty';
  await expect(migrate(elsewhere.href)).rejects.toThrow(
    /^MIGRATION_DATABASE_URL: \d+ migrations are pending/,
  );

  // Again, with another password.
  const renewed = { ...roles, application: roles.application.replace(/:[^:@]*@/, ':another@') };
  await prepareRoles(own.href, renewed);
  await expect(ask(roles.application, 'select')).rejects.toThrow(/password authentication failed/);
  expect(await ask(renewed.application, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a role with too many privileges is refused, and nothing is changed', async () => {
  await ask(superuser, 'create database second');
  const url = superuser.replace(/\/presswork$/, '/second');
  await ask(superuser, 'alter role presswork_application createdb');
  await expect(prepareRoles(url, roleUrls(url, loadCredentials(home)))).rejects.toThrow(
    'presswork_application has too many privileges',
  );
  await ask(superuser, 'alter role presswork_application nocreatedb');
  const [{ owner }] = await ask(
    url,
    'select current_user as me, pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()',
  );
  expect(owner).toBe('presswork');
  const swapped = { ...roleUrls(url, loadCredentials(home)), application: url };
  await expect(prepareRoles(url, swapped)).rejects.toThrow(
    'The URL of presswork_application must have that role as its user.',
  );
});
