import { join } from 'node:path';
import { freePort } from '../../runtime/free-port.ts';
import { loadCredentials } from '../dev/home.ts';
import { embeddedObjectStore, prepareBucket } from '../dev/object-store.ts';
import { embeddedPostgres, preparePostgres } from '../dev/postgres.ts';
import { Supervised } from '../dev/supervised.ts';
import { embeddedTemporal, waitForTemporal } from '../dev/temporal.ts';
import { findObjectStore, findTemporal } from '../dev/tools.ts';
import type { OnEnd } from './run.ts';

export interface BenchServer {
  /** Its address. */
  readonly url: string;
  readonly pid: number;
}

/**
 * A PostgreSQL server for the benchmark, as durable as in production: by default PostgreSQL flushes a commit before it
 * answers. WAL segments left from seeding are recycled, as on a server that has run for a while, so none have to be
 * created.
 *
 * @param settings of the server, in addition
 */
export async function startPostgres(
  home: string,
  onEnd: OnEnd,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const { service, url } = embeddedPostgres({
    folder: join(home, 'postgres'),
    port: await freePort(),
    password: loadCredentials(home).postgresPassword,
    logFile: join(home, 'postgres.log'),
    settings: { min_wal_size: '2GB', max_wal_size: '4GB', ...settings },
  });
  const server = begin(new Supervised(service, () => {}), onEnd);
  await preparePostgres(url);
  return { url, pid: server.running?.pid ?? 0 };
}

/** A Temporal server for the benchmark, with its state in a file, as in `npm start`; its url is host:port. */
export async function startTemporal(home: string, onEnd: OnEnd): Promise<BenchServer> {
  const { path: program } = await findTemporal();
  const port = await freePort();
  const [file, logFile] = [join(home, 'temporal.db'), join(home, 'temporal.log')];
  const service = embeddedTemporal({ program, port, uiPort: null, file, logFile });
  const server = begin(new Supervised(service, () => {}), onEnd);
  const url = `127.0.0.1:${port}`;
  await waitForTemporal(url);
  return { url, pid: server.running?.pid ?? 0 };
}

export async function startObjectStore(home: string, onEnd: OnEnd): Promise<BenchServer> {
  const { path } = await findObjectStore();
  const credentials = loadCredentials(home);
  const port = await freePort();
  const store = embeddedObjectStore({
    program: path,
    port,
    folder: join(home, 's3'),
    credentials,
    logFile: join(home, 's3.log'),
  });
  const server = begin(new Supervised(store, () => {}), onEnd);
  const url = `http://127.0.0.1:${port}`;
  await prepareBucket(url, credentials);
  return { url, pid: server.running?.pid ?? 0 };
}

export function storageSettings(home: string, endpoint: string): Readonly<Record<string, string>> {
  const { s3AccessKeyId, s3SecretAccessKey } = loadCredentials(home);
  return {
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: s3SecretAccessKey,
  };
}

function begin(server: Supervised, onEnd: OnEnd): Supervised {
  onEnd(() => server.stop(10_000));
  server.start();
  return server;
}
