import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { SettingError } from './settings.ts';
import type { Settings } from './settings.ts';

/** Shorter than the time that a connection may take, of which the password is a part. */
const COMMAND_MS = 4_000;
/** Connections that are made together share an answer. A new password is known after this. */
const KEPT_MS = 5_000;
const MAX_LENGTH = 64 * 1024;

interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

type Password = (login: Login) => Promise<string>;

/** The settings of the connection to the database, besides a URL. */
export function databaseAccess(settings: Settings): {
  readonly password: Password | undefined;
  readonly poolMode: Settings['DATABASE_POOL_MODE'];
} {
  return { password: passwordOf(settings), poolMode: settings.DATABASE_POOL_MODE };
}

/**
 * The URL for migrations, which need a session of their own.
 *
 * @throws SettingError if only a pooler that lends connections by transaction is known
 */
export function migrationUrl(settings: Settings): string | undefined {
  const { MIGRATION_DATABASE_URL: migrator, DATABASE_URL: only, DATABASE_POOL_MODE: mode } = settings;
  if (migrator === undefined && only !== undefined && mode === 'transaction')
    throw new SettingError(
      'MIGRATION_DATABASE_URL: must be set with DATABASE_POOL_MODE=transaction, and lead to PostgreSQL itself',
    );
  return migrator ?? only;
}

/** Both are asked for each new connection, so that a password may change while the process runs. */
function passwordOf(settings: Settings): Password | undefined {
  const { DATABASE_PASSWORD_FILE: file, DATABASE_PASSWORD_COMMAND: command } = settings;
  if (file !== undefined) return async () => required(await readFile(file, 'utf8'), 'DATABASE_PASSWORD_FILE');
  return command === undefined ? undefined : kept((login) => run(command, login));
}

/** Runs the command in a shell, which gets the login in the variables that PostgreSQL's own programs read. */
async function run(command: string, { host, port, database, user }: Login): Promise<string> {
  const env = { ...process.env, PGHOST: host, PGPORT: String(port), PGDATABASE: database, PGUSER: user };
  // In a group of its own, so that the programs of the shell end with it.
  const shell = spawn('/bin/sh', ['-c', command], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let problem = '';
  const end = (why: string): void => {
    problem = why;
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // The shell has ended, and left its output to something that is not in its group.
    }
    shell.stdout.destroy();
    shell.stderr.destroy();
  };
  const timer = setTimeout(() => end(`took longer than ${COMMAND_MS / 1_000} s`), COMMAND_MS);
  const said = { stdout: '', stderr: '' };
  for (const output of ['stdout', 'stderr'] as const)
    shell[output].on('data', (chunk: Buffer) => {
      said[output] += chunk.toString();
      if (said[output].length > MAX_LENGTH && problem === '') end('printed too much');
    });
  const [code] = await once(shell, 'close').finally(() => clearTimeout(timer));
  if (problem === '' && code === 0) return required(said.stdout, 'DATABASE_PASSWORD_COMMAND');
  throw new Error(
    `DATABASE_PASSWORD_COMMAND ${problem || `ended with ${code}`} (${said.stderr.trim().slice(0, 200)})`,
  );
}

/** Without the end of its line. */
function required(text: string, name: string): string {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new Error(`${name} gives an empty password`);
  return password;
}

/** One call at a time for each login, whose answer is kept for a short time. A process has few logins. */
function kept(ask: Password): Password {
  const answers = new Map<string, Promise<string>>();
  return (login) => {
    const name = JSON.stringify(login);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const asked = ask(login);
    answers.set(name, asked);
    asked.then(
      () => setTimeout(() => answers.delete(name), KEPT_MS).unref(),
      () => answers.delete(name),
    );
    return asked;
  };
}
