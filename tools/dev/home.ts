import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../runtime/free-port.ts';
import { readJson } from '../../runtime/home.ts';
import { listenOnce } from '../../runtime/listening.ts';

/** A problem that the operator has to fix; only its message is shown. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Writes a JSON file atomically, readable by its owner only. */
export function writeJson(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** The values that stay the same from one start to the next. */
export interface Credentials {
  readonly postgresPassword: string;
  readonly migratorPassword: string;
  readonly applicationPassword: string;
  readonly supportPassword: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  readonly encryptionKey: string;
}

/** The passwords of the embedded servers: created once, and stored in the data folder. */
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

/** A free port of this machine, the same as at the last start if that is still free. */
export async function stablePort(home: string, name: string): Promise<number> {
  const path = join(home, 'ports.json');
  const known = readJson<Record<string, number>>(path)?.[name];
  if (known !== undefined && typeof (await listenOnce(known)) === 'number') return known;
  const port = await freePort();
  writeJson(path, { ...readJson<Record<string, number>>(path), [name]: port });
  return port;
}

/** @throws StartError naming the variable to change, if the API cannot listen there */
export async function requireListening(
  port: number,
  host: string,
  named: { readonly port: string; readonly host: string } = { port: 'PORT', host: 'HOST' },
): Promise<void> {
  const got = await listenOnce(port, host);
  if (typeof got === 'number') return;
  if (got === 'EADDRINUSE') {
    throw new StartError(
      `${named.port}: ${port} is in use on ${host}. Choose another port, such as ${named.port}=${port + 1} npm start.`,
    );
  }
  if (got === 'EACCES') {
    throw new StartError(
      `${named.port}: ${port} can only be opened by root. Set ${named.port} to 1024 or more.`,
    );
  }
  throw new StartError(`${named.host}: ${host} is not an address of this machine (${got}).`);
}
