import closeWithGrace from 'close-with-grace';
import { originOf, readSettings, requireSetting, SettingError } from '../config/settings.ts';
import { createDatabase } from '../db/database.ts';
import { outboxAge } from '../db/outbox.ts';
import { statement } from '../db/sql.ts';
import { apiTimeouts } from '../db/timeouts.ts';
import { systemClock } from '../domain/clock.ts';
import { createSecretBox } from '../domain/secret-box.ts';
import { createLogger } from '../logging/logger.ts';
import { exposeMetrics } from '../metrics/expose.ts';
import { createCachePurger } from '../net/cache-purger.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { checkBucket, createBucket } from '../storage/bucket.ts';
import { checkTemporal } from '../temporal/health.ts';
import { createObjectStore } from '../storage/objects.ts';
import { createApp } from './app.ts';
import { createClientAddress } from './client-address.ts';
import type { HealthChecks } from './health.ts';
import { createHttpServer } from './server.ts';

/** What requests in flight get to finish. */
const DRAIN_MS = 30_000;

async function main(): Promise<void> {
  const settings = readSettings();
  const log = createLogger('api', settings.LOG_LEVEL);
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
  );
  const server = createHttpServer(app);
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `PORT: ${settings.PORT} is in use` : String(error));
    process.exit(1);
  });
  server.listen(settings.PORT, settings.HOST, () => {
    log.info({ port: settings.PORT, host: settings.HOST }, 'listening');
  });
  closeWithGrace({ delay: DRAIN_MS + 2_000, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'ending after an error that nothing caught');
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
    });
    await http.close();
    await db.close();
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingError ? error.message : error);
  process.exit(1);
});
