import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { prepareRoles } from '../../db/roles.ts';
import type { RoleUrls } from '../../db/roles.ts';
import { bundleFile, bundleWorkflows } from './applications.ts';
import { freePort } from '../../runtime/free-port.ts';
import { loadCredentials } from './home.ts';
import { BUCKET, embeddedObjectStore, prepareBucket, REGION } from './object-store.ts';
import { pooler } from './other-databases.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from './postgres.ts';
import type { Supervisor } from './supervisor.ts';
import { embeddedTemporal, waitForTemporal } from './temporal.ts';
import type { Tool } from './tools.ts';

/** Test data need not survive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  // It may be in memory.
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Tests silence connections. While one waits to authenticate, no database of the server can be dropped.
  authentication_timeout: '10s',
};

/**
 * Starts one PostgreSQL, one Temporal and one S3 server for a test run, in its own folder. Each suite copies its
 * database from the migrated template, and takes the workflows from one bundle.
 *
 * @param folders of the run: for PostgreSQL's cluster, and for everything else
 * @returns the variables that tell the tests where the servers are
 */
export async function startTestServers(
  { home, cluster }: { readonly home: string; readonly cluster: string },
  supervisor: Supervisor,
  tools: Readonly<Record<'temporal' | 'objectStore' | 'timeSkipping', Tool>>,
): Promise<Record<string, string>> {
  mkdirSync(join(home, 'logs'));
  const log = (name: string): string => join(home, 'logs', `${name}.log`);
  const credentials = loadCredentials(home);

  const postgres = embeddedPostgres({
    folder: cluster,
    port: await freePort(),
    password: credentials.postgresPassword,
    logFile: log('postgres'),
    settings,
  });
  supervisor.run(postgres.service);

  const temporalPort = await freePort();
  const temporal = { program: tools.temporal.path, port: temporalPort, uiPort: null, file: null };
  supervisor.run(embeddedTemporal({ ...temporal, logFile: log('temporal') }));

  const s3Port = await freePort();
  const s3 = { program: tools.objectStore.path, port: s3Port, folder: join(home, 's3'), credentials };
  supervisor.run(embeddedObjectStore({ ...s3, logFile: log('s3') }));

  const roles = roleUrls(postgres.url, credentials);
  const address = `127.0.0.1:${temporalPort}`;
  const endpoint = `http://127.0.0.1:${s3Port}`;
  await Promise.all([
    preparePostgres(postgres.url)
      .then(() => prepareRoles(postgres.url, roles))
      .then(() => migrate(roles.migrator)),
    waitForTemporal(address),
    prepareBucket(endpoint, credentials),
    bundleWorkflows(home),
  ]);
  return {
    PRESSWORK_TEST_DATABASE_URL: postgres.url,
    PRESSWORK_TEST_APPLICATION_DATABASE_URL: roles.application,
    ...(await startPooler(home, supervisor, roles)),
    PRESSWORK_TEST_MIGRATION_DATABASE_URL: roles.migrator,
    PRESSWORK_TEST_SUPPORT_DATABASE_URL: roles.support,
    PRESSWORK_TEST_TEMPORAL_ADDRESS: address,
    PRESSWORK_TEST_WORKFLOW_BUNDLE: bundleFile(home),
    PRESSWORK_TEST_TEMPORAL_PROGRAM: tools.temporal.path,
    PRESSWORK_TEST_TIME_SKIPPING_SERVER: tools.timeSkipping.path,
    PRESSWORK_TEST_S3_ENDPOINT: endpoint,
    PRESSWORK_TEST_S3_REGION: REGION,
    PRESSWORK_TEST_S3_BUCKET: BUCKET,
    PRESSWORK_TEST_S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
    PRESSWORK_TEST_S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
  };
}

/** Puts the pooler that PRESSWORK_TEST_POOLER names between the application's role and the server. */
async function startPooler(
  home: string,
  supervisor: Supervisor,
  roles: RoleUrls,
): Promise<Record<string, string>> {
  const program = process.env['PRESSWORK_TEST_POOLER'] ?? '';
  if (program === '') return {};
  const logFile = join(home, 'logs', 'pgbouncer.log');
  const folder = join(home, 'pgbouncer');
  const { service, url } = pooler({ program, folder, port: await freePort(), roles, logFile });
  supervisor.run(service);
  await preparePostgres(url, undefined, { poolMode: 'transaction' });
  return {
    DATABASE_POOL_MODE: 'transaction',
    PRESSWORK_TEST_APPLICATION_DATABASE_URL: url,
    PRESSWORK_TEST_DIRECT_DATABASE_URL: roles.application,
  };
}
