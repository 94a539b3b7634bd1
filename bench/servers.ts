import { join } from 'node:path';
import { freePort, loadCredentials } from '../dev/home.ts';
import { embeddedObjectStore, prepareBucket } from '../dev/object-store.ts';
import { embeddedPostgres, preparePostgres } from '../dev/postgres.ts';
import { Supervised } from '../dev/supervised.ts';
import { embeddedTemporal, waitForTemporal } from '../dev/temporal.ts';
import { findObjectStore, findTemporal } from '../dev/tools.ts';
import type { OnEnd } from './run.ts';

/** A server that a benchmark runs on. */
export interface BenchServer {
  /** How it is reached. */
  readonly url: string;
  readonly pid: number;
}

/**
 * A PostgreSQL of the benchmark's own, as durable as in production: PostgreSQL's own defaults flush what is answered. Its log
 * is written over what seeding left, as on a server that has run for a while, and not into files that have to be made.
 *
 * @param settings of the server, beyond those
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

/** A Temporal server of the benchmark's own, with its state in a file, as `npm start` has it; its url is host:port. */
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

/** An S3 server of the benchmark's own. */
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

/** What the product has to know of an S3 server of the benchmark. */
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
