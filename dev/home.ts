import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcesses, identityOf, isRunning, until } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';

/** The root of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Where the product keeps its data when npm start runs it. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env['PRESSWORK_HOME'] || join(root, '.presswork'));

/** Something an operator has to mend; its message is the one line that is shown. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Reads a JSON file, or null where there is none that can be read. */
export function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Writes a JSON file that only its owner may read, all of it or nothing. */
export function writeJson(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** What one start after the other needs to stay the same. */
export interface Credentials {
  readonly postgresPassword: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
}

/** The passwords of the embedded servers: made once, kept in the data folder. */
export function loadCredentials(home: string): Credentials {
  const path = join(home, 'credentials.json');
  const known = readJson<Credentials>(path);
  if (known !== null) return known;
  const made = {
    postgresPassword: randomBytes(24).toString('base64url'),
    s3AccessKeyId: `presswork${randomBytes(6).toString('hex')}`,
    s3SecretAccessKey: randomBytes(24).toString('base64url'),
  };
  writeJson(path, made);
  return made;
}

const LOCK_PATIENCE_MS = 4_000;

/**
 * Takes the data folder for this process. One whose holder is gone, by Ctrl-C or by kill -9, is taken over,
 * and what that holder left running is ended first.
 *
 * @returns gives the folder back
 * @throws StartError naming the folder and the process that holds it
 */
export async function takeHome(home: string): Promise<() => void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = join(home, 'lock.json');
  const holder = (): ProcessIdentity | null => readJson<ProcessIdentity>(lock);
  // A holder whose terminal has just been killed is about to give the folder back.
  await until(() => {
    const current = holder();
    return current === null || !isRunning(current);
  }, LOCK_PATIENCE_MS);
  const current = holder();
  if (current !== null && isRunning(current)) {
    throw new StartError(
      `${home} is in use by process ${current.pid}. Stop that one first, or set PRESSWORK_HOME to another folder.`,
    );
  }
  rmSync(lock, { force: true });
  try {
    writeFileSync(lock, JSON.stringify(identityOf(process.pid)), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new StartError(
      `${home} is in use by process ${holder()?.pid ?? 'another'}, which has just started on it.`,
    );
  }
  await reclaimChildren(home);
  return () => rmSync(lock, { force: true });
}

const childrenFile = (home: string): string => join(home, 'children.json');

/** Notes which processes run on the folder, so that the next start can end what a kill left behind. */
export function noteChildren(home: string, children: readonly ProcessIdentity[]): void {
  writeJson(childrenFile(home), children);
}

async function reclaimChildren(home: string): Promise<void> {
  const left = (readJson<ProcessIdentity[]>(childrenFile(home)) ?? []).filter(isRunning);
  if (left.length === 0) return;
  console.log(`Ending ${left.length} processes that an earlier start left running …`);
  await endProcesses(left, 5_000);
}

/** A free port of this machine, the same as at the last start where that is still free. */
export async function stablePort(home: string, name: string): Promise<number> {
  const path = join(home, 'ports.json');
  const ports = readJson<Record<string, number>>(path) ?? {};
  const known = ports[name];
  if (known !== undefined && (await isFree(known))) return known;
  const port = await freePort();
  writeJson(path, { ...readJson<Record<string, number>>(path), [name]: port });
  return port;
}

export const isFree = async (port: number, host = '127.0.0.1'): Promise<boolean> =>
  (await listenOnce(port, host)) !== null;

export async function freePort(): Promise<number> {
  const port = await listenOnce(0, '127.0.0.1');
  if (port === null) throw new StartError('No port of this machine is free.');
  return port;
}

function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(null));
    server.listen(port, host, () => {
      const { port: got } = server.address() as AddressInfo;
      server.close(() => done(got));
    });
  });
}
