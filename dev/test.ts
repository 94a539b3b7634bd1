import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { freePort, loadCredentials, root, StartError } from './home.ts';
import { BUCKET, embeddedObjectStore, prepareBucket, REGION } from './object-store.ts';
import { embeddedPostgres, preparePostgres } from './postgres.ts';
import { Supervised } from './supervised.ts';
import type { Service } from './supervised.ts';
import { embeddedTemporal, waitForTemporal } from './temporal.ts';
import { findObjectStore, findTemporal, findTimeSkippingServer } from './tools.ts';

/** Runs the tests against one PostgreSQL, one Temporal and one S3 server, started for them alone. */
async function main(): Promise<number> {
  const [temporal, objectStore, timeSkipping] = [
    await findTemporal(),
    await findObjectStore(),
    await findTimeSkippingServer(),
  ];
  const home = mkdtempSync(join(tmpdir(), 'presswork-test-'));
  mkdirSync(join(home, 'logs'));
  const servers: Supervised[] = [];
  const log = (name: string): string => join(home, 'logs', `${name}.log`);
  const run = (service: Service): void => {
    const server = new Supervised(service, () => {});
    servers.push(server);
    server.start();
  };
  try {
    const credentials = loadCredentials(home);
    const [postgresPort, temporalPort, s3Port] = [await freePort(), await freePort(), await freePort()];
    // Nothing here has to outlive a power cut.
    const settings = {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
    };
    const folder = join(home, 'postgres');
    const password = credentials.postgresPassword;
    const postgres = embeddedPostgres({
      folder,
      port: postgresPort,
      password,
      logFile: log('postgres'),
      settings,
    });
    run(postgres.service);
    run(
      embeddedTemporal({
        program: temporal.path,
        port: temporalPort,
        uiPort: null,
        file: null,
        logFile: log('temporal'),
      }),
    );
    const s3 = {
      program: objectStore.path,
      port: s3Port,
      folder: join(home, 's3'),
      credentials,
      logFile: log('s3'),
    };
    run(embeddedObjectStore(s3));
    const endpoint = `http://127.0.0.1:${s3Port}`;
    const address = `127.0.0.1:${temporalPort}`;
    await Promise.all([
      preparePostgres(postgres.url),
      waitForTemporal(address, 30_000, 'Temporal did not come up for the tests.'),
      prepareBucket(endpoint, credentials),
    ]);
    await migrate(postgres.url);
    return await jest({
      PRESSWORK_TEST_DATABASE_URL: postgres.url,
      PRESSWORK_TEST_TEMPORAL_ADDRESS: address,
      PRESSWORK_TEST_TIME_SKIPPING_SERVER: timeSkipping.path,
      PRESSWORK_TEST_S3_ENDPOINT: endpoint,
      PRESSWORK_TEST_S3_REGION: REGION,
      PRESSWORK_TEST_S3_BUCKET: BUCKET,
      PRESSWORK_TEST_S3_ACCESS_KEY_ID: credentials.s3AccessKeyId,
      PRESSWORK_TEST_S3_SECRET_ACCESS_KEY: credentials.s3SecretAccessKey,
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop(5_000)));
    rmSync(home, { recursive: true, force: true });
  }
}

function jest(addresses: Record<string, string>): Promise<number> {
  const args = [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    ...process.argv.slice(2),
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...addresses },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
