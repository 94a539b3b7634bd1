import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { Client, connectionSettings } from './client.ts';
import type { Access } from './client.ts';
import { commandTimeouts } from './timeouts.ts';

/**
 * The roles of the database (docs/decisions/0028). The migrator owns the schema; the application reads and writes rows;
 * support reads, without secrets. Their privileges on each table are in privileges.ts.
 */
export const databaseRoles = {
  migrator: 'presswork_migrator',
  application: 'presswork_application',
  support: 'presswork_support',
} as const;

/** The URL of each role, all for the same database; support is optional. */
export interface RoleUrls {
  readonly migrator: string;
  readonly application: string;
  readonly support?: string;
}

/** Limits for people who look into a live database by hand. */
const SUPPORT_SETTINGS = {
  default_transaction_read_only: 'on',
  statement_timeout: '30s',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '1min',
} as const;

/**
 * Creates the roles, sets the passwords of their URLs, and hands the database with its objects to the migrator. Safe to
 * run again, for example to change a password.
 *
 * @param adminUrl a role that may create roles and databases, and owns this one
 * @throws Error if an existing role has too many privileges
 */
export async function prepareRoles(
  adminUrl: string,
  urls: RoleUrls,
  { password }: Access = {},
): Promise<void> {
  const client = new Client(connectionSettings(adminUrl, 'presswork-roles', commandTimeouts, { password }));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', ['presswork roles']);
    for (const kind of ['migrator', 'application', 'support'] as const) {
      const url = urls[kind];
      if (url !== undefined) await prepareRole(client, databaseRoles[kind], url);
    }
    if (urls.support !== undefined)
      for (const [name, value] of Object.entries(SUPPORT_SETTINGS))
        await client.query(`alter role ${databaseRoles.support} set ${name} = '${value}'`);
    await handOver(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function prepareRole(client: pg.Client, role: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  if (decodeURIComponent(username) !== role)
    throw new Error(`The URL of ${role} must have that role as its user.`);
  const { rows } = await client.query<{ mighty: boolean }>(
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as mighty
     from pg_roles where rolname = $1`,
    [role],
  );
  if (rows[0]?.mighty) throw new Error(`${role} has too many privileges: LOGIN must be its only attribute.`);
  // Without a password in its URL, the server knows the role by other means, such as a token.
  const verifier =
    password === '' ? '' : `password ${client.escapeLiteral(scramVerifier(decodeURIComponent(password)))}`;
  await client.query(`${rows.length === 0 ? 'create' : 'alter'} role ${role} login ${verifier}`);
}

/**
 * The server's verifier of a password (RFC 5803), computed here so that the password is in no statement and in no log.
 */
function scramVerifier(password: string): string {
  const iterations = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

interface Owned {
  readonly kind: 'table' | 'sequence' | 'view' | 'routine';
  readonly name: string;
}

/** Gives the database and everything in it to the migrator, for a database that started with a single role. */
async function handOver(client: pg.Client): Promise<void> {
  const { migrator } = databaseRoles;
  const { rows } = await client.query<{ database: string; owner: string; superuser: boolean }>(
    `select quote_ident(datname) as database, pg_get_userbyid(datdba) as owner, r.rolsuper as superuser
     from pg_database, pg_roles r where datname = current_database() and r.rolname = current_user`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('The owner of the database cannot be read');
  // A superuser is a member of every role; other roles must become members before they can give anything away.
  if (!found.superuser) await client.query(`grant ${migrator} to current_user`);
  if (found.owner !== migrator) await client.query(`alter database ${found.database} owner to ${migrator}`);
  const owned = await client.query<Owned>(
    `select case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind,
       c.oid::regclass::text as name
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
       and pg_get_userbyid(c.relowner) <> $1
       -- A column's own sequence goes with its table, and an extension's objects are the extension's.
       and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
           and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i'))
       )
     union all
     select 'routine', p.oid::regprocedure::text from pg_proc p
     where p.pronamespace = 'public'::regnamespace and pg_get_userbyid(p.proowner) <> $1
       and not exists (
         select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
       )`,
    [migrator],
  );
  for (const { kind, name } of owned.rows) await client.query(`alter ${kind} ${name} owner to ${migrator}`);
}
