import { Client } from '@temporalio/client';
import { Runtime, Worker } from '@temporalio/worker';
import { createHousekeepingActivities } from '../activities/housekeeping.ts';
import { createPublishingActivities } from '../activities/publishing.ts';
import { createPurgingActivities } from '../activities/purging.ts';
import { readSettings, requireSetting, SettingError } from '../config/settings.ts';
import { createDatabase } from '../db/database.ts';
import { systemClock } from '../domain/clock.ts';
import { createLogger } from '../logging/logger.ts';
import { createCachePurger } from '../net/cache-purger.ts';
import { TASK_QUEUE } from '../temporal/names.ts';
import { connectPatiently, prepareNamespace } from './namespace.ts';
import { listen } from './outbox-listener.ts';
import { Relay } from './relay.ts';
import { ensureSchedules } from './schedules.ts';
import { fileURLToPath } from 'node:url';

async function main(): Promise<void> {
  const settings = readSettings();
  const log = createLogger('worker', settings.LOG_LEVEL);
  // The runtime traps the signals itself, and ends worker.run(): the one place that begins the shutdown.
  Runtime.install({
    shutdownSignals: ['SIGINT', 'SIGTERM'],
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  const databaseUrl = requireSetting(settings, 'DATABASE_URL');
  const namespace = settings.TEMPORAL_NAMESPACE;
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-worker',
    poolSize: settings.DATABASE_POOL_SIZE ?? 16,
    onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
  });
  const connection = await connectPatiently(requireSetting(settings, 'TEMPORAL_ADDRESS'), log);
  await prepareNamespace(connection, namespace, log);
  const client = new Client({ connection, namespace });
  await ensureSchedules(client);

  const purger = settings.PURGE_URL === undefined ? null : createCachePurger(settings.PURGE_URL);
  const ports = { db, clock: systemClock, log, purger };
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    activities: {
      ...createPublishingActivities(ports),
      ...createPurgingActivities(ports),
      ...createHousekeepingActivities(ports),
    },
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '10 seconds',
    // When a worker dies, its cached workflows wait this long before another may take their tasks.
    stickyQueueScheduleToStartTimeout: '1 second',
  });
  const relay = new Relay({ db, client, clock: systemClock, log });
  const listener = listen(databaseUrl, 'presswork_outbox', () => relay.wake(), log);
  const relaying = relay.run();
  log.info({ namespace, task_queue: TASK_QUEUE }, 'working');

  await worker.run();
  relay.stop();
  listener.close();
  await relaying;
  await db.close();
  await connection.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof SettingError ? error.message : error);
    process.exit(1);
  },
);
