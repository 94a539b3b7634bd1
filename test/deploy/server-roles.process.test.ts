import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { prepareRoles } from '../../db/roles.ts';
import { root } from '../../runtime/home.ts';
import { onPath } from '../../tools/dev/tools.ts';
import { startOwnPostgres } from '../support/own-postgres.ts';
import type { OwnPostgres } from '../support/own-postgres.ts';

/** psql is of the image; elsewhere it may not be installed. */
const withPsql = onPath('psql') === null ? describe.skip : describe;

withPsql('the roles of the servers of the compose file', () => {
  let server: OwnPostgres;
  let superuser: pg.Client;
  const as = (role: string, password: string, database: string): string => {
    const url = new URL(server.url);
    Object.assign(url, { username: role, password, pathname: `/${database}` });
    return url.href;
  };
  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  /** As the job of the compose file does. */
  const run = (): unknown => {
    const { hostname, port, username, password, pathname } = new URL(server.url);
    const file = join(root, 'deploy/compose/server-roles.sql');
    const env = {
      PATH: process.env['PATH'],
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
      TEMPORAL_PASSWORD: 'temporal',
      BACKUP_PASSWORD: 'backup',
      MONITORING_PASSWORD: 'monitoring',
    };
    return execFileSync('psql', ['--no-psqlrc', '--quiet', `--file=${file}`], { env, stdio: 'pipe' });
  };
  const own = (): string => new URL(server.url).pathname.slice(1);

  beforeAll(async () => {
    server = await startOwnPostgres();
    await prepareRoles(server.url, {
      migrator: as('presswork_migrator', 'migrator', own()),
      application: as('presswork_application', 'application', own()),
      support: as('presswork_support', 'support', own()),
    });
    await migrate(as('presswork_migrator', 'migrator', own()));
    superuser = await connect(server.url);
    // What a Temporal that signed in as the superuser has left.
    await superuser.query('create database temporal');
    const temporal = await connect(as(new URL(server.url).username, 'own', 'temporal'));
    await temporal.query('create table executions (id bigserial primary key)');
    await temporal.end();
    run();
    run();
  });
  afterAll(async () => {
    await superuser.end();
    await server.remove();
  });

  test('none may do more than it has to', async () => {
    const { rows } = await superuser.query(
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolconnlimit from pg_roles
       where rolname in ('temporal', 'backup', 'monitoring') order by 1`,
    );
    const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false };
    expect(rows).toEqual([
      { rolname: 'backup', ...none, rolreplication: true, rolconnlimit: 5 },
      { rolname: 'monitoring', ...none, rolconnlimit: 5 },
      { rolname: 'temporal', ...none, rolconnlimit: 60 },
    ]);
  });

  test.each(['temporal', 'temporal_visibility'])(
    'Temporal owns %s, and all that is in it',
    async (database) => {
      const client = await connect(as('temporal', 'temporal', database));
      await client.query('create table created (id bigserial primary key)');
      const { rows } = await client.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> 'temporal'`,
      );
      expect(rows).toEqual([]);
      await client.end();
    },
  );

  test('Temporal cannot connect to the database of the product, nor the product to those of Temporal', async () => {
    await expect(connect(as('temporal', 'temporal', own()))).rejects.toThrow(/permission denied/);
    await expect(connect(as('presswork_application', 'application', 'temporal'))).rejects.toThrow(
      /permission denied/,
    );
    await expect(connect(as('backup', 'backup', own()))).rejects.toThrow(/permission denied/);
  });

  test.each(['application', 'support', 'migrator'])('%s still connects to its own', async (name) => {
    const client = await connect(as(`presswork_${name}`, name, own()));
    await client.query('select');
    await client.end();
  });

  test('monitoring reads the figures of every database, and no rows', async () => {
    const client = await connect(as('monitoring', 'monitoring', own()));
    const { rows } = await client.query('select count(*) > 3 as several from pg_stat_database');
    expect(rows).toEqual([{ several: true }]);
    await expect(client.query('select from articles')).rejects.toThrow(/permission denied/);
    await client.end();
  });
});
