import { once } from 'node:events';
import type { Server } from 'node:http';
import { originOf, readSettings, requireSetting, secretsOf, SettingError } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { createDatabase } from '../db/database.ts';
import { outboxAge } from '../db/outbox.ts';
import { statement } from '../db/sql.ts';
import { apiTimeouts } from '../db/timeouts.ts';
import { systemClock } from '../domain/clock.ts';
import { createSecretBox } from '../domain/secret-box.ts';
import { runProgram } from '../lifecycle/run-program.ts';
import type { Program } from '../lifecycle/run-program.ts';
import { within } from '../lifecycle/within.ts';
import { createLogger } from '../logging/logger.ts';
import { exposeMetrics } from '../metrics/expose.ts';
import { createCachePurger } from '../net/cache-purger.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { checkBucket, createBucket } from '../storage/bucket.ts';
import { checkTemporal } from '../temporal/health.ts';
import { createObjectStore } from '../storage/objects.ts';
import { startTracing } from '../tracing/start.ts';
import { traceIds } from '../tracing/trace.ts';
import { createApp } from './app.ts';
import { createClientAddress } from './client-address.ts';
import { Drain } from './drain.ts';
import type { HealthChecks } from './health.ts';
import { createHttpServer } from './server.ts';

/** What requests in flight get to finish. */
const DRAIN_MS = 30_000;
/** What pools get to close; their connections end with the process. */
const CLOSE_MS = 3_000;

async function start(): Promise<Program> {
  const settings = readSettings();
  const log = createLogger({
    process: 'api',
    level: settings.LOG_LEVEL,
    secrets: secretsOf(settings),
    context: traceIds,
  });
  const tracing = await startTracing('api', settings, log);
  const db = createDatabase({
    connectionString: requireSetting(settings, 'DATABASE_URL'),
    applicationName: 'presswork-api',
    timeouts: apiTimeouts,
    poolSize: settings.DATABASE_POOL_SIZE ?? 16,
    onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
  });
  const temporalAddress = requireSetting(settings, 'TEMPORAL_ADDRESS');
  const bucket = createBucket(settings);
  const http = createGuardedClient();
  const checks: HealthChecks = {
    database: async () => void (await db.exec(statement`select 1`)),
    temporal: () => checkTemporal(temporalAddress),
    storage: () => checkBucket(bucket),
    outbox: () => outboxAge(db, systemClock.now()),
  };
  const { outbox: _shown, ...dependencies } = checks;
  await exposeMetrics('api', settings, { db, clock: systemClock, dependencies });
  const drain = new Drain();
  const app = createApp(
    {
      db,
      clock: systemClock,
      log,
      purger: settings.PURGE_URL === undefined ? null : createCachePurger(http, settings.PURGE_URL),
      clientAddress: createClientAddress(settings.TRUSTED_PROXIES),
      box: createSecretBox(requireSetting(settings, 'ENCRYPTION_KEY')),
      objects: createObjectStore(bucket, settings.MEDIA_PUBLIC_URL ?? originOf(settings)),
      writer: settings.LLM_BASE_URL === undefined ? 'offline' : 'llm',
      webhookUrls: { allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS },
      publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
      verifyAnswers: false,
    },
    checks,
    drain,
  );
  const server = createHttpServer(app);
  drain.watch(server);
  await listen(server, settings);
  log.info({ port: settings.PORT, host: settings.HOST }, 'listening');
  return {
    log,
    limitMs: settings.SHUTDOWN_DELAY + DRAIN_MS + CLOSE_MS + 2_000,
    broken: new Promise((_, reject) => server.once('error', reject)),
    end: async () => {
      const answered = await drain.run(server, { pauseMs: settings.SHUTDOWN_DELAY, limitMs: DRAIN_MS });
      if (!answered) log.warn({ after_ms: DRAIN_MS }, 'requests that did not end were cut');
      await within(CLOSE_MS, Promise.allSettled([http.close(), db.close(), tracing?.close()]));
    },
  };
}

/** @throws SettingError for a port that is in use */
async function listen(server: Server, { PORT, HOST }: Settings): Promise<void> {
  server.listen(PORT, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const busy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw busy ? new SettingError(`PORT: ${PORT} is in use`) : error;
  }
}

runProgram(start);
