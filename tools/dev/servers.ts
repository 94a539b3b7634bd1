import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../runtime/settings.ts';
import { namesStorage } from '../../adapters/storage/bucket.ts';
import { namesTemporal } from '../../adapters/temporal/connection.ts';
import { prepareRoles } from '../../db/roles.ts';
import type { RoleUrls } from '../../db/roles.ts';
import { stablePort } from './home.ts';
import type { Credentials } from './home.ts';
import { BUCKET, embeddedObjectStore, prepareBucket, REGION, requireBucketName } from './object-store.ts';
import {
  outsideModel,
  outsideObjectStore,
  outsidePostgres,
  outsideTemporal,
  refuseWithoutDatabase,
  refuseWithoutTemporal,
} from './outside.ts';
import type { TemporalPlace } from './outside.ts';
import { embeddedPostgres, endForgotten, preparePostgres, roleUrls } from './postgres.ts';
import { showing } from './progress.ts';
import type { Service } from './supervised.ts';
import { embeddedTemporal, noteNewFile, waitForTemporal } from './temporal.ts';
import { findObjectStore, findTemporal } from './tools.ts';

/** The addresses of the three servers. */
export interface Servers extends TemporalPlace {
  readonly database: Required<RoleUrls>;
  /** The S3 variables of the processes. */
  readonly storage: Readonly<Record<string, string>>;
}

/** The outside servers; null for those that are not set. */
export interface OutsideServers {
  readonly database: Servers['database'] | null;
  readonly temporal: TemporalPlace | null;
  readonly storage: Servers['storage'] | null;
}

/**
 * Checks the outside servers that are set, concurrently.
 *
 * @throws StartError if one cannot be reached, SettingError for what the embedded server does not take instead of one
 */
export async function reachOutsideServers(settings: Settings): Promise<OutsideServers> {
  const temporalIsOutside = await namesTemporal(settings);
  if (settings.DATABASE_URL === undefined) refuseWithoutDatabase(settings);
  if (!temporalIsOutside) await refuseWithoutTemporal(settings);
  if (!namesStorage(settings)) requireBucketName(settings.S3_BUCKET);
  const [database, temporal, storage] = await Promise.all([
    settings.DATABASE_URL === undefined ? null : outsidePostgres(settings),
    temporalIsOutside ? outsideTemporal(settings) : null,
    namesStorage(settings) ? outsideObjectStore(settings) : null,
    outsideModel(settings),
  ]);
  return { database, temporal, storage };
}

/** Starts every server for which there is no outside one, concurrently. */
export async function startServers(
  outside: OutsideServers,
  settings: Settings,
  home: string,
  credentials: Credentials,
  supervise: (service: Service) => unknown,
): Promise<Servers> {
  const log = (name: string): string => join(home, 'logs', `${name}.log`);
  const [database, temporal, storage] = await Promise.all([
    outside.database ?? startPostgres(),
    outside.temporal ?? startTemporal(),
    outside.storage ?? startObjectStore(),
  ]);
  return { database, ...temporal, storage };

  async function startPostgres(): Promise<Required<RoleUrls>> {
    const folder = join(home, 'postgres');
    await endForgotten(folder);
    const port = await stablePort(home, 'postgres');
    const options = {
      folder,
      port,
      password: credentials.postgresPassword,
      logFile: log('postgres'),
    };
    const { service, url } = embeddedPostgres(options);
    supervise(service);
    await showing('Starting PostgreSQL', preparePostgres(url));
    const roles = roleUrls(url, credentials);
    await prepareRoles(url, roles);
    console.log(`PostgreSQL: embedded, port ${port}`);
    return roles;
  }

  async function startTemporal(): Promise<TemporalPlace> {
    const tool = await findTemporal();
    const [port, uiPort] = [await stablePort(home, 'temporal'), await stablePort(home, 'temporalUi')];
    const file = join(home, 'temporal.db');
    const { TEMPORAL_NAMESPACE: namespace = 'default' } = settings;
    const options = { program: tool.path, port, uiPort, namespace, file, logFile: log('temporal') };
    const isMade = noteNewFile(file);
    supervise(embeddedTemporal(options));
    const temporalAddress = `127.0.0.1:${port}`;
    await showing('Starting Temporal', waitForTemporal(temporalAddress));
    isMade();
    console.log(`Temporal: embedded (${tool.origin}), port ${port}`);
    return { temporalAddress, temporalNamespace: namespace, temporalUiUrl: `http://127.0.0.1:${uiPort}` };
  }

  async function startObjectStore(): Promise<Record<string, string>> {
    const { S3_BUCKET: bucket } = settings;
    if (!existsSync(join(home, 's3', bucket)) && existsSync(join(home, 's3', BUCKET)))
      console.log(`S3: the bucket ${bucket} is new; the images so far are in the bucket ${BUCKET}.`);
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
    await showing('Starting S3', prepareBucket(endpoint, credentials, bucket));
    console.log(`S3: embedded (${tool.origin}), port ${port}`);
    return {
      S3_ENDPOINT: endpoint,
      S3_FORCE_PATH_STYLE: 'on',
      S3_REGION: REGION,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
    };
  }
}
