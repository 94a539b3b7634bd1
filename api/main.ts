import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  hasModel,
  originOf,
  readSettings,
  requireSetting,
  secretsOf,
  SettingError,
} from '../runtime/settings.ts';
import type { Settings } from '../runtime/settings.ts';
import { createDatabase } from '../db/database.ts';
import { statement } from '../db/sql.ts';
import { isAway } from '../db/failures.ts';
import { apiTimeouts } from '../db/timeouts.ts';
import { backlogOf } from '../domain/backlog/backlog.ts';
import { systemClock } from '../domain/kernel/clock.ts';
import { faultOf } from '../domain/kernel/encryption-canary.ts';
import { beginHostTurn, takeHostTurn } from '../domain/seo/host-turns.ts';
import { createSecretBox } from '../domain/kernel/secret-box.ts';
import { authoritiesOf } from '../runtime/authorities.ts';
import { databaseAccess } from '../runtime/database-access.ts';
import { proveDatabase } from '../runtime/prove-database.ts';
import { runProgram } from '../runtime/run-program.ts';
import type { Program } from '../runtime/run-program.ts';
import { settledWithin } from '../runtime/with-timeout.ts';
import { createLogger } from '../observability/log/logger.ts';
import { isAllowedHost } from '../runtime/allowed-hosts.ts';
import { exposeMetrics } from '../observability/metrics/expose.ts';
import { nameLookedUp } from '../observability/metrics/names.ts';
import { createBacklinkReader } from '../adapters/backlinks/reader.ts';
import { createCachePurger } from '../adapters/http/cache-purger.ts';
import { createCmsAdapters } from '../adapters/cms/create-adapters.ts';
import { createGuardedClient } from '../adapters/http/guarded-client.ts';
import { Names } from '../adapters/http/names.ts';
import { checkBucket, createBucket } from '../adapters/storage/bucket.ts';
import { createClientDocuments } from '../adapters/oauth/client-documents.ts';
import { createPayments } from '../adapters/payments/create-payments.ts';
import { createPageVisitor } from '../adapters/pages/visitor.ts';
import { createJobProcesses } from '../adapters/untrusted-text/processes.ts';
import { createRenderer } from '../adapters/markdown/renderer.ts';
import { createVariantRenderer } from '../adapters/variants/renderer.ts';
import { createObjectStore } from '../adapters/storage/objects.ts';
import { researchOf } from '../adapters/research/research.ts';
import { createWriter } from '../adapters/writer/create-writer.ts';
import { createSourceReader } from '../adapters/writer/source.ts';
import { createStageTrier } from '../adapters/writer/try-stage.ts';
import { readTemporalConnection, secretsOfConnection } from '../adapters/temporal/connection.ts';
import { checkTemporal } from '../adapters/temporal/health.ts';
import { startTracing } from '../observability/tracing/start.ts';
import { traceIds } from '../observability/tracing/trace.ts';
import { createApp } from './app.ts';
import { createClientAddress } from './http/client-address.ts';
import { readDashboard } from './pages/dashboard/files.ts';
import { Drain } from './http/drain.ts';
import type { HealthChecks } from './http/readiness.ts';
import { ResponseCache } from './framework/response-cache.ts';
import { createHttpServer } from './framework/server.ts';

/** Time for requests in flight to finish. */
const DRAIN_MS = 30_000;
/** Time for the pools to close; the process ends their connections in any case. */
const CLOSE_MS = 3_000;

async function start(): Promise<Program> {
  const settings = readSettings();
  // Before anything else, because a wrong setting ends the start.
  const temporal = await readTemporalConnection(settings);
  const payments = await createPayments(settings);
  const log = createLogger({
    process: 'api',
    level: settings.LOG_LEVEL,
    secrets: [...secretsOf(settings), ...secretsOfConnection(temporal)],
    context: traceIds,
  });
  const tracing = await startTracing('api', settings, log);
  const db = createDatabase({
    ...databaseAccess(settings),
    connectionString: requireSetting(settings, 'DATABASE_URL'),
    applicationName: 'presswork-api',
    timeouts: apiTimeouts,
    poolSize: settings.DATABASE_POOL_SIZE ?? 16,
    onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
  });
  const box = createSecretBox(...requireSetting(settings, 'ENCRYPTION_KEY'));
  const proof = await proveDatabase(() => faultOf(db, box, systemClock.now()), isAway);
  const bucket = createBucket(settings);
  const names = new Names({ observe: nameLookedUp });
  const http = createGuardedClient({ names });
  const strangers = createGuardedClient({ allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS, names });
  // The pages of others get no secrets, so plain http is allowed.
  const pages = createGuardedClient({
    allowedHosts: settings.SCAN_ALLOWED_HOSTS,
    targets: { plainHttp: true },
    names,
    ca: authoritiesOf(settings.SCAN_CA_FILE),
  });
  const processes = createJobProcesses({ keepReady: 'renderMarkdown' });
  const renderer = createRenderer(processes);
  const visitor = createPageVisitor(
    {
      http: pages,
      turns: { take: (host) => takeHostTurn(db, host), begin: (host) => beginHostTurn(db, host) },
    },
    processes,
  );
  const remotes = createCmsAdapters({
    renderer,
    http: strangers,
    clock: systemClock,
    names,
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
  });
  const backlog = backlogOf(db, systemClock);
  const checks: HealthChecks = {
    database: async () => void (await db.exec(statement`select 1`)),
    // Read each time, so that renewed certificates and keys take effect.
    temporal: async () => checkTemporal(await readTemporalConnection(settings)),
    storage: () => checkBucket(bucket),
    outbox: backlog.outbox,
  };
  const { outbox: _notADependency, ...dependencies } = checks;
  await exposeMetrics('api', settings, { pool: db.pool, backlog, dependencies });
  const drain = new Drain();
  const app = createApp(
    {
      db,
      clock: systemClock,
      log,
      purger:
        settings.PURGE_URL === undefined
          ? null
          : createCachePurger(http, settings.PURGE_URL, originOf(settings)),
      clientAddress: createClientAddress(settings.TRUSTED_PROXIES),
      box,
      objects: createObjectStore(bucket, settings.MEDIA_PUBLIC_URL ?? originOf(settings)),
      writer: hasModel(settings) ? 'llm' : 'offline',
      tryStage: createStageTrier({
        writer: createWriter(settings, http, processes),
        sources: createSourceReader(visitor, processes),
        research: researchOf(settings, http, processes),
        jobProcesses: processes,
      }),
      webhookUrls: { allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS, names },
      http: strangers,
      remotes,
      oauthClients: createClientDocuments(strangers, settings.WEBHOOK_ALLOWED_HOSTS),
      scans: {
        outbound: settings.OUTBOUND_SCANS,
        exempts: (url) => isAllowedHost(url, settings.SCAN_ALLOWED_HOSTS),
      },
      publicUrl: originOf(settings),
      securityContact: settings.SECURITY_CONTACT,
      responses: new ResponseCache(),
      dashboard: readDashboard(settings.DASHBOARD_FOLDER),
      renderer,
      variants: createVariantRenderer(processes),
      backlinks: createBacklinkReader(processes),
      payments,
      mails: settings.SMTP_URL !== undefined,
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
    broken: Promise.race([proof.broken, new Promise<never>((_, reject) => server.once('error', reject))]),
    end: async () => {
      const answered = await drain.run(server, { pauseMs: settings.SHUTDOWN_DELAY, limitMs: DRAIN_MS });
      if (!answered) log.warn({ after_ms: DRAIN_MS }, 'requests in flight were aborted at shutdown');
      processes.close();
      await settledWithin(
        CLOSE_MS,
        Promise.allSettled([http.close(), strangers.close(), pages.close(), db.close(), tracing?.close()]),
      );
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
