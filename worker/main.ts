import { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { DeliverySession } from '../activities/delivery/session.ts';
import { Slots } from '../activities/delivery/slots.ts';
import { originOf, readSettings, requireSetting, secretsOf } from '../config/settings.ts';
import { createDatabase } from '../db/database.ts';
import { workerTimeouts } from '../db/timeouts.ts';
import { systemClock } from '../domain/clock.ts';
import { createSecretBox } from '../domain/secret-box.ts';
import { defaultRetryDelays } from '../domain/webhooks/retry-schedule.ts';
import { runProgram } from '../lifecycle/run-program.ts';
import type { Program } from '../lifecycle/run-program.ts';
import { within } from '../lifecycle/within.ts';
import { createLogger } from '../logging/logger.ts';
import { exposeMetrics } from '../metrics/expose.ts';
import { sdkMetrics } from '../metrics/temporal.ts';
import { createCachePurger } from '../net/cache-purger.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { createWriter } from '../writer/create-writer.ts';
import { createSourceReader } from '../writer/source.ts';
import { createBucket } from '../storage/bucket.ts';
import { createObjectStore } from '../storage/objects.ts';
import { readTaskQueues } from './backlog.ts';
import { workflowBundle } from './bundle.ts';
import { listen } from './listener.ts';
import { createSdkLogger, logContext } from './logging.ts';
import { connectPatiently, prepareNamespace } from './namespace.ts';
import { Relay } from './relay.ts';
import { ensureSchedules } from './schedules.ts';
import { startTracing } from '../tracing/start.ts';
import { traceCalls } from './tracing.ts';
import { WebhookWaker } from './webhook-waker.ts';
import { createWorkers, FORCE_MS, runWorkers } from './workers.ts';

/** Webhook attempts under way in one process. */
const ATTEMPTS_AT_ONCE = 1_024;
/** What attempts under way get to finish: their own time-out, and a little to record them. */
const DRAIN_MS = 11_000;
/** What wake-ups under way, then pools, get. */
const CLOSE_MS = 3_000;

async function start(): Promise<Program> {
  const settings = readSettings();
  const log = createLogger({
    process: 'worker',
    level: settings.LOG_LEVEL,
    secrets: secretsOf(settings),
    context: logContext,
  });
  const tracing = await startTracing('worker', settings, log);
  const sdkLogger = createSdkLogger(log);
  const sdk = settings.METRICS_PORT === undefined ? null : await sdkMetrics();
  // The runtime would trap the signals itself: there is one place that ends the process.
  Runtime.install({
    shutdownSignals: [],
    logger: sdkLogger,
    telemetryOptions: {
      logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} },
      ...(sdk && { metrics: sdk.options }),
    },
  });
  const databaseUrl = requireSetting(settings, 'DATABASE_URL');
  const box = createSecretBox(requireSetting(settings, 'ENCRYPTION_KEY'));
  const namespace = settings.TEMPORAL_NAMESPACE;
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-worker',
    timeouts: workerTimeouts,
    poolSize: settings.DATABASE_POOL_SIZE ?? 16,
    onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
  });
  const connecting = connectPatiently(requireSetting(settings, 'TEMPORAL_ADDRESS'), log);
  // Also while Temporal is waited for.
  const taskQueues = async () => readTaskQueues(new Client({ connection: await connecting, namespace }));
  await exposeMetrics('worker', settings, { db, clock: systemClock, taskQueues, sdk });
  const connection = await connecting;
  await prepareNamespace(connection, namespace, log);
  const client = new Client({ connection, namespace, interceptors: { workflow: [traceCalls] } });
  await ensureSchedules(client);

  const clock = systemClock;
  const http = createGuardedClient({ allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS });
  // Source pages are read, and nothing secret is sent to them: http will do.
  const pages = createGuardedClient({
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
    targets: { plainHttp: true },
  });
  const purger = settings.PURGE_URL === undefined ? null : createCachePurger(http, settings.PURGE_URL);
  const bucket = createBucket(settings);
  const objects = createObjectStore(bucket, settings.MEDIA_PUBLIC_URL ?? originOf(settings));
  const waker = new WebhookWaker({ db, client, clock, log });
  const slots = new Slots(ATTEMPTS_AT_ONCE);
  const retryDelays = settings.WEBHOOK_RETRY_DELAYS ?? defaultRetryDelays;
  const session = new DeliverySession({ db, http, box, clock, log, slots, retryDelays }, waker);
  const ports = {
    db,
    clock,
    log,
    purger,
    objects,
    writer: createWriter(settings, http),
    sources: createSourceReader(pages),
  };
  const bundle = await workflowBundle(settings.WORKFLOW_BUNDLE, sdkLogger);
  const workers = await createWorkers(connection, namespace, ports, session, bundle);

  const relay = new Relay({ db, client, clock, log });
  const listener = listen(databaseUrl, log, {
    presswork_outbox: () => relay.wake(),
    presswork_webhooks: (payload) => waker.wakeAll(payload),
  });
  waker.start((endpointId) => session.sendNow(endpointId));
  const relaying = relay.run();
  const crew = runWorkers(workers);
  log.info({ namespace, version: process.version }, 'working');

  return {
    log,
    limitMs: FORCE_MS + 3 * CLOSE_MS + 5_000,
    broken: crew.broken,
    end: async () => {
      // Nothing new is taken on; the workers finish what they have in hand, and attempts under way are recorded.
      relay.stop();
      listener.close();
      waker.stop();
      session.stop();
      const [unfinished] = await Promise.all([crew.end(), session.drain(DRAIN_MS)]);
      for (const error of unfinished)
        log.warn({ err: error }, 'a worker did not finish in time: what it had in hand goes to another');
      await within(CLOSE_MS, Promise.all([relaying, waker.settled()]));
      await within(CLOSE_MS, Promise.allSettled([http.close(), pages.close(), db.close(), tracing?.close()]));
      await within(CLOSE_MS, connection.close());
    },
  };
}

runProgram(start);
