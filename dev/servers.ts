import { join } from 'node:path';
import pg from 'pg';
import { requireSetting } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { checkBucket, createBucket } from '../storage/bucket.ts';
import { stablePort, StartError } from './home.ts';
import type { Credentials } from './home.ts';
import { BUCKET, embeddedObjectStore, prepareBucket, REGION } from './object-store.ts';
import { embeddedPostgres, preparePostgres } from './postgres.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';
import { embeddedTemporal, waitForTemporal } from './temporal.ts';
import { findObjectStore, findTemporal } from './tools.ts';

/** Where the three servers can be reached. */
export interface Servers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** null where Temporal is an outside one. */
  readonly temporalUiUrl: string | null;
  /** The S3 variables of the processes. */
  readonly storage: Readonly<Record<string, string>>;
}

/** What an outside service may take to answer (decisions 12). */
const OUTSIDE_TIMEOUT_MS = 15_000;

/** Starts each server whose variable names no outside one, side by side; checks those that are outside. */
export async function startServers(
  settings: Settings,
  home: string,
  credentials: Credentials,
  supervise: (service: Service) => unknown,
): Promise<Servers> {
  const log = (name: string): string => join(home, 'logs', `${name}.log`);
  const [databaseUrl, temporal, storage] = await Promise.all([
    settings.DATABASE_URL === undefined ? startPostgres() : outsidePostgres(settings.DATABASE_URL),
    settings.TEMPORAL_ADDRESS === undefined ? startTemporal() : outsideTemporal(settings.TEMPORAL_ADDRESS),
    settings.S3_ENDPOINT === undefined ? startObjectStore() : outsideObjectStore(settings),
  ]);
  return { databaseUrl, ...temporal, storage };

  async function startPostgres(): Promise<string> {
    const port = await stablePort(home, 'postgres');
    const options = {
      folder: join(home, 'postgres'),
      port,
      password: credentials.postgresPassword,
      logFile: log('postgres'),
    };
    const { service, url } = embeddedPostgres(options);
    supervise(service);
    await preparePostgres(url);
    console.log(`PostgreSQL: embedded, port ${port}`);
    return url;
  }

  async function startTemporal() {
    const tool = await findTemporal();
    const [port, uiPort] = [await stablePort(home, 'temporal'), await stablePort(home, 'temporalUi')];
    const file = join(home, 'temporal.db');
    supervise(embeddedTemporal({ program: tool.path, port, uiPort, file, logFile: log('temporal') }));
    const temporalAddress = `127.0.0.1:${port}`;
    await waitForTemporal(
      temporalAddress,
      30_000,
      'Temporal did not come up; its log is in the data folder.',
    );
    console.log(`Temporal: embedded (${tool.origin}), port ${port}`);
    return { temporalAddress, temporalUiUrl: `http://127.0.0.1:${uiPort}` };
  }

  async function startObjectStore(): Promise<Record<string, string>> {
    const tool = await findObjectStore();
    const port = await stablePort(home, 's3');
    supervise(
      embeddedObjectStore({
        program: tool.path,
        port,
        folder: join(home, 's3'),
        credentials,
        logFile: log('s3'),
      }),
    );
    const endpoint = `http://127.0.0.1:${port}`;
    await prepareBucket(endpoint, credentials);
    console.log(`S3: embedded (${tool.origin}), port ${port}`);
    return {
      S3_ENDPOINT: endpoint,
      S3_REGION: REGION,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
      MEDIA_PUBLIC_URL: settings.MEDIA_PUBLIC_URL ?? `${endpoint}/${BUCKET}`,
    };
  }
}

async function outsidePostgres(url: string): Promise<string> {
  let reason = '';
  const reached = await until(
    async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
      client.on('error', () => {});
      try {
        await client.connect();
        return true;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        return false;
      } finally {
        await client.end().catch(() => {});
      }
    },
    OUTSIDE_TIMEOUT_MS - 4_000,
    500,
  );
  if (!reached)
    throw new StartError(`DATABASE_URL: the database cannot be reached (${reason || 'no answer'}).`);
  console.log('PostgreSQL: the one DATABASE_URL names');
  return url;
}

async function outsideTemporal(address: string) {
  const complaint = `TEMPORAL_ADDRESS: no Temporal server answers at ${address}.`;
  await waitForTemporal(address, OUTSIDE_TIMEOUT_MS - 3_000, complaint);
  console.log(`Temporal: ${address}, from TEMPORAL_ADDRESS`);
  return { temporalAddress: address, temporalUiUrl: null };
}

async function outsideObjectStore(settings: Settings): Promise<Record<string, string>> {
  const bucket = createBucket(settings);
  let reason = '';
  const reached = await until(
    async () => {
      try {
        await checkBucket(bucket);
        return true;
      } catch (error) {
        reason = error instanceof Error ? error.name : String(error);
        return false;
      }
    },
    OUTSIDE_TIMEOUT_MS - 4_000,
    500,
  );
  if (!reached)
    throw new StartError(`S3_ENDPOINT: the bucket ${settings.S3_BUCKET} cannot be reached (${reason}).`);
  console.log('S3: the one S3_ENDPOINT names');
  const endpoint = requireSetting(settings, 'S3_ENDPOINT');
  return { MEDIA_PUBLIC_URL: settings.MEDIA_PUBLIC_URL ?? `${endpoint}/${settings.S3_BUCKET}` };
}
