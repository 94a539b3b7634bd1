import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenOnce } from './listening.ts';

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
  readonly migratorPassword: string;
  readonly applicationPassword: string;
  readonly supportPassword: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  readonly encryptionKey: string;
}

/** The passwords of the embedded servers: made once, kept in the data folder. */
export function loadCredentials(home: string): Credentials {
  const path = join(home, 'credentials.json');
  const known = readJson<Credentials>(path);
  const password = (): string => randomBytes(24).toString('base64url');
  const made = {
    postgresPassword: password(),
    migratorPassword: password(),
    applicationPassword: password(),
    supportPassword: password(),
    s3AccessKeyId: `presswork${randomBytes(6).toString('hex')}`,
    s3SecretAccessKey: password(),
    encryptionKey: randomBytes(32).toString('base64'),
    ...known,
  };
  if (known !== null && Object.keys(made).length === Object.keys(known).length) return known;
  writeJson(path, made);
  return made;
}

/** A free port of this machine, the same as at the last start where that is still free. */
export async function stablePort(home: string, name: string): Promise<number> {
  const path = join(home, 'ports.json');
  const known = readJson<Record<string, number>>(path)?.[name];
  if (known !== undefined && typeof (await listenOnce(known)) === 'number') return known;
  const port = await freePort();
  writeJson(path, { ...readJson<Record<string, number>>(path), [name]: port });
  return port;
}

/** Below those that systems give to whoever asks for any: nobody gets such a port by chance before it is used. */
const PORTS = { from: 15_000, to: 32_000 } as const;
const PORTS_TRIED = 200;

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if ((await listenOnce(port)) === port) return port;
  }
  throw new StartError(`No port of this machine from ${PORTS.from} to ${PORTS.to} is free.`);
}

/** @throws StartError naming the variable that keeps the API from listening there */
export async function requireListening(
  port: number,
  host: string,
  named: { readonly port: string; readonly host: string } = { port: 'PORT', host: 'HOST' },
): Promise<void> {
  const got = await listenOnce(port, host);
  if (typeof got === 'number') return;
  if (got === 'EADDRINUSE') {
    throw new StartError(
      `${named.port}: ${port} is in use on ${host}. Set ${named.port} to another one, such as ${named.port}=${port + 1} npm start.`,
    );
  }
  if (got === 'EACCES') {
    throw new StartError(
      `${named.port}: ${port} may be opened by root only. Set ${named.port} to 1024 or more.`,
    );
  }
  throw new StartError(`${named.host}: ${host} is not an address of this machine (${got}).`);
}
