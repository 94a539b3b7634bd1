import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { prepareRoles } from '../db/roles.ts';
import { freePort, loadCredentials } from './home.ts';
import { BUCKET, embeddedObjectStore, prepareBucket, REGION } from './object-store.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from './postgres.ts';
import type { Supervisor } from './supervisor.ts';
import { embeddedTemporal, waitForTemporal } from './temporal.ts';
import type { Tool } from './tools.ts';

/** Nothing that a test writes has to outlive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
};

/**
 * Starts one PostgreSQL, one Temporal and one S3 server for a run of the tests, in a folder of its own. The
 * migrated database is the template from which each suite copies its own.
 *
 * @returns the variables that tell the tests where they are
 */
export async function startTestServers(
  home: string,
  supervisor: Supervisor,
  tools: Readonly<Record<'temporal' | 'objectStore' | 'timeSkipping', Tool>>,
): Promise<Record<string, string>> {
  mkdirSync(join(home, 'logs'));
  const log = (name: string): string => join(home, 'logs', `${name}.log`);
  const credentials = loadCredentials(home);

  const postgres = embeddedPostgres({
    folder: join(home, 'postgres'),
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
  ]);
  return {
    PRESSWORK_TEST_DATABASE_URL: postgres.url,
    PRESSWORK_TEST_APPLICATION_DATABASE_URL: roles.application,
    PRESSWORK_TEST_MIGRATION_DATABASE_URL: roles.migrator,
    PRESSWORK_TEST_SUPPORT_DATABASE_URL: roles.support,
    PRESSWORK_TEST_TEMPORAL_ADDRESS: address,
    PRESSWORK_TEST_TEMPORAL_PROGRAM: tools.temporal.path,
    PRESSWORK_TEST_TIME_SKIPPING_SERVER: tools.timeSkipping.path,
    PRESSWORK_TEST_S3_ENDPOINT: endpoint,
    PRESSWORK_TEST_S3_REGION: REGION,
    PRESSWORK_TEST_S3_BUCKET: BUCKET,
    PRESSWORK_TEST_S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
    PRESSWORK_TEST_S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
  };
}
