import { getHeapStatistics } from 'node:v8';
import { Runtime } from '@temporalio/worker';
import { DueEdits } from '../activities/pending-edit/publish-due-edits.ts';
import { DueArticles } from '../activities/scheduled-publish/publish-all-due.ts';
import { DeliverySession } from '../activities/webhook-endpoint/session.ts';
import { Slots } from '../activities/webhook-endpoint/slots.ts';
import type { Logger } from 'pino';
import { originOf, readSettings, requireSetting, secretsOf } from '../runtime/settings.ts';
import type { Settings } from '../runtime/settings.ts';
import { createDatabase } from '../db/database.ts';
import { isAway } from '../db/failures.ts';
import { apiTimeouts, workerTimeouts } from '../db/timeouts.ts';
import type { Timeouts } from '../db/timeouts.ts';
import { createScanKinds } from '../activities/seo-scan/kinds.ts';
import { backlogOf } from '../domain/backlog/backlog.ts';
import { systemClock } from '../domain/kernel/clock.ts';
import { faultOf } from '../domain/kernel/encryption-canary.ts';
import { createSecretBox } from '../domain/kernel/secret-box.ts';
import { beginHostTurn, takeHostTurn } from '../domain/seo/host-turns.ts';
import { defaultRetryDelays } from '../domain/webhooks/retry-schedule.ts';
import { databaseAccess } from '../runtime/database-access.ts';
import { proveDatabase } from '../runtime/prove-database.ts';
import { authoritiesOf } from '../runtime/authorities.ts';
import { runProgram } from '../runtime/run-program.ts';
import type { Program } from '../runtime/run-program.ts';
import { settledWithin } from '../runtime/with-timeout.ts';
import { createLogger } from '../observability/log/logger.ts';
import { exposeMetrics } from '../observability/metrics/expose.ts';
import { nameLookedUp } from '../observability/metrics/names.ts';
import { sdkMetrics } from '../observability/metrics/temporal.ts';
import { createCachePurger } from '../adapters/http/cache-purger.ts';
import { createCmsAdapters } from '../adapters/cms/create-adapters.ts';
import { createGuardedClient } from '../adapters/http/guarded-client.ts';
import { Names } from '../adapters/http/names.ts';
import { createRenderer } from '../adapters/markdown/renderer.ts';
import { createMailer } from '../adapters/mail/smtp.ts';
import { createPayments } from '../adapters/payments/create-payments.ts';
import { createJobProcesses } from '../adapters/untrusted-text/processes.ts';
import { researchOf } from '../adapters/research/research.ts';
import { createWriter } from '../adapters/writer/create-writer.ts';
import { createSourceReader } from '../adapters/writer/source.ts';
import { createArticleReader } from '../adapters/articles/reader.ts';
import { createPageVisitor } from '../adapters/pages/visitor.ts';
import { createBucket } from '../adapters/storage/bucket.ts';
import { createObjectStore } from '../adapters/storage/objects.ts';
import { readTemporalConnection, secretsOfConnection } from '../adapters/temporal/connection.ts';
import { readTaskQueues } from './backlog.ts';
import { keepUploadsAllowed } from './browser-uploads.ts';
import { workflowBundle } from './bundle.ts';
import { dataConverterOf } from './data-converter.ts';
import { readBadEnds } from './ended-workflows.ts';
import { ensureBillingSchedules } from './billing-schedules.ts';
import { endpointWorkflows } from './endpoint-workflows.ts';
import { joinTemporal } from './join.ts';
import type { Membership } from './join.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { createSdkLogger, logContext } from './logging.ts';
import { Peers } from './peers.ts';
import { liveness, readiness } from './probes.ts';
import type { Watched } from './probes.ts';
import { DatabaseClock } from './database-clock.ts';
import { Publisher } from './publisher.ts';
import { Relay } from './relay.ts';
import { SearchIndexer } from './search-indexer.ts';
import { sizesOf } from './sizes.ts';
import { startTracing } from '../observability/tracing/start.ts';
import { WebhookSignals } from './webhook-signals.ts';
import { startWaker } from './webhook-waker.ts';
import { createWorkers, FORCE_MS } from './workers.ts';
import { expectCounts } from './counted-kinds.ts';

/** Bytes of the bodies of webhook attempts in flight in one process. */
const BYTES_IN_FLIGHT = 64 * 2 ** 20;
/** Time for attempts in flight to finish: their own time-out, and a little to record them. */
const DRAIN_MS = 11_000;
/** Time for signals in flight, then for pools, to close. */
const CLOSE_MS = 3_000;

async function start(): Promise<Program> {
  const settings = readSettings();
  const readConnection = () => readTemporalConnection(settings);
  // Before anything else, because a wrong setting ends the start.
  const connection = await readConnection();
  const payments = await createPayments(settings);
  const mailer = await createMailer(settings);
  const log = createLogger({
    process: 'worker',
    level: settings.LOG_LEVEL,
    secrets: [...secretsOf(settings), ...secretsOfConnection(connection)],
    context: logContext,
  });
  const tracing = await startTracing('worker', settings, log);
  const sdkLogger = createSdkLogger(log);
  const sdk = settings.METRICS_PORT === undefined ? null : await sdkMetrics();
  // The runtime must not handle signals itself: only runProgram ends the process.
  Runtime.install({
    shutdownSignals: [],
    logger: sdkLogger,
    telemetryOptions: {
      logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} },
      ...(sdk && { metrics: sdk.options }),
    },
  });
  const databaseUrl = requireSetting(settings, 'DATABASE_URL');
  const access = databaseAccess(settings);
  const box = createSecretBox(...requireSetting(settings, 'ENCRYPTION_KEY'));
  const connectAs = (timeouts: Timeouts, poolSize: number) =>
    createDatabase({
      ...access,
      connectionString: databaseUrl,
      applicationName: 'presswork-worker',
      timeouts,
      poolSize,
      onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
    });
  // Relay, delivery and publishing use short statement time-outs, so that a silent database is noticed soon.
  const sizes = sizesOf(settings.DATABASE_POOL_SIZE ?? 16, getHeapStatistics().heap_size_limit);
  const db = connectAs(apiTimeouts, sizes.connections);
  const patientDb = connectAs(workerTimeouts, sizes.patientConnections);
  const proof = await proveDatabase(() => faultOf(db, box, systemClock.now()), isAway);
  let temporal: Membership | undefined;
  const client = () => temporal?.client() ?? null;
  const reachedClient = () => {
    const reached = client();
    if (reached === null) throw new Error('Temporal has not been reached yet');
    return reached;
  };
  const taskQueues = async () => readTaskQueues(reachedClient());
  const badEnds = async () => readBadEnds(reachedClient(), systemClock.now());
  let poll: { idleMs(): number } | undefined;
  let publishers: readonly Publisher[] = [];
  let relay: Relay | undefined;
  const watched = (): Watched => ({
    temporal: temporal?.state() ?? 'connecting',
    loops: {
      relay: relay?.idleMs() ?? null,
      poll: poll?.idleMs() ?? null,
      publisher: publishers.length === 0 ? null : Math.max(...publishers.map((each) => each.idleMs())),
    },
  });
  const probes = { '/readyz': () => readiness(watched()), '/livez': () => liveness(watched()) };
  expectCounts();
  const backlog = backlogOf(db, systemClock);
  await exposeMetrics('worker', settings, { pool: db.pool, backlog, taskQueues, badEnds, sdk, probes });

  const clock = new DatabaseClock();
  const names = new Names({ observe: nameLookedUp });
  const http = createGuardedClient({ allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS, names });
  const purger =
    settings.PURGE_URL === undefined ? null : createCachePurger(http, settings.PURGE_URL, originOf(settings));
  const bucket = createBucket(settings);
  const objects = createObjectStore(bucket, settings.MEDIA_PUBLIC_URL ?? originOf(settings));
  const signals = new WebhookSignals({ db, client, log });
  const slots = new Slots({ attempts: sizes.attempts, bytes: BYTES_IN_FLIGHT });
  const retryDelays = settings.WEBHOOK_RETRY_DELAYS ?? defaultRetryDelays;
  const session = new DeliverySession({ db, http, box, clock, log, slots, retryDelays }, (endpointId) =>
    signals.signal(endpointId),
  );
  const jobProcesses = createJobProcesses();
  const renderer = createRenderer(jobProcesses);
  const articles = createArticleReader(jobProcesses);
  // The pages of others get no secrets, so plain http is allowed.
  const scanClient = createGuardedClient({
    allowedHosts: settings.SCAN_ALLOWED_HOSTS,
    targets: { plainHttp: true },
    names: new Names({ observe: nameLookedUp }),
    ca: authoritiesOf(settings.SCAN_CA_FILE),
  });
  const turns = {
    take: (host: string) => takeHostTurn(db, host),
    begin: (host: string) => beginHostTurn(db, host),
  };
  const visitor = createPageVisitor({ http: scanClient, turns }, jobProcesses);
  const ports = {
    db,
    patientDb,
    clock,
    log,
    purger,
    dueArticles: new DueArticles({ db, clock, log, purger }),
    objects,
    writer: createWriter(settings, http, jobProcesses),
    sources: createSourceReader(visitor, jobProcesses),
    research: researchOf(settings, http, jobProcesses),
    jobProcesses,
    kinds: createScanKinds({ db: patientDb, articles, pages: visitor, clock }),
    endpointWorkflows: endpointWorkflows(reachedClient),
    box,
    retryDelays,
    adapters: createCmsAdapters({
      http,
      clock,
      renderer,
      names,
      allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
    }),
    payments,
    http,
    mailer,
    publicUrl: originOf(settings),
  };

  // From here on webhooks are sent and what is due is published, with or without Temporal.
  let relaying: Promise<void> | undefined;
  const peers = new Peers(db, () => listener.pid());
  const waker = startWaker({ db, clock, log, peers }, (endpointId, interrupted) =>
    session.wake(endpointId, interrupted),
  );
  poll = waker;
  const dueEdits = new DueEdits(ports);
  const toldBy = () => listener.pid();
  // Apart, because each edit has its transaction.
  publishers = [
    new Publisher({
      clock,
      log,
      toldBy,
      async publishDue() {
        await clock.read(db);
        return (await ports.dueArticles.publish()).size;
      },
      nextTime: () => ports.dueArticles.next(),
    }),
    new Publisher({
      clock,
      log,
      toldBy,
      publishDue: () => dueEdits.publish(),
      nextTime: () => dueEdits.next(),
    }),
  ];
  const listener = listenIfPossible(settings, log, {
    presswork_outbox: (sites) => {
      if (sites.split(',').some((id) => peers.takes(id))) relay?.wake();
    },
    presswork_schedules(times) {
      const earliest = Math.min(...times.split(',').map(Number));
      for (const publisher of publishers) publisher.scheduled(earliest);
    },
    presswork_webhooks: (payload) => waker.notified(payload),
  });
  const publishing = publishers.map((publisher) => publisher.run());
  const bundle = workflowBundle(settings.WORKFLOW_BUNDLE, sdkLogger);
  const dataConverter = dataConverterOf(settings);
  const ending = new AbortController();
  const membership = joinTemporal({
    readConnection,
    dataConverter,
    log,
    connected(first) {
      const current = () => client() ?? first;
      if (payments !== null) ensureBillingSchedules(current, log, ending.signal).catch(() => {});
      relay = new Relay({
        db,
        get client() {
          return current();
        },
        clock,
        log,
        mayLook: () => ports.dueArticles.settled(),
      });
      relaying = relay.run();
    },
    createWorkers: async (reached, namespace) =>
      createWorkers(reached, namespace, ports, session, await bundle, sizes, dataConverter),
  });
  temporal = membership;
  const indexer = new SearchIndexer({ db: patientDb, log, readWords: renderer.readWords });
  const indexing = indexer.run();
  keepUploadsAllowed(bucket, new URL(originOf(settings)).origin, log, ending.signal).catch(() => {});
  log.info({ version: process.version, ...sizes }, 'sending webhooks');

  return {
    log,
    limitMs: FORCE_MS + 3 * CLOSE_MS + 5_000,
    // A failed bundle ends the program.
    broken: Promise.race([membership.broken, proof.broken, bundle.then(() => membership.broken)]),
    end: async () => {
      // Stops taking work; the workers finish their tasks, and attempts in flight are recorded.
      ending.abort();
      relay?.stop();
      for (const publisher of publishers) publisher.stop();
      indexer.stop();
      listener.close();
      waker.stop();
      session.stop();
      const [unfinished] = await Promise.all([membership.end(), session.drain(DRAIN_MS)]);
      for (const error of unfinished)
        log.warn({ err: error }, 'a worker did not finish in time: its tasks go to another');
      await settledWithin(CLOSE_MS, Promise.all([relaying, ...publishing, indexing, signals.settled()]));
      await settledWithin(
        CLOSE_MS,
        Promise.allSettled([
          http.close(),
          scanClient.close(),
          db.close(),
          patientDb.close(),
          tracing?.close(),
        ]),
      );
      jobProcesses.close();
      await settledWithin(CLOSE_MS, membership.close());
    },
  };
}

/** A pooler that lends connections by transaction delivers no notifications. */
function listenIfPossible(
  settings: Settings,
  log: Logger,
  callbacks: Parameters<typeof listen>[2],
): Listener {
  const access = databaseAccess(settings);
  const pooled = access.poolMode === 'transaction';
  const url = settings.LISTEN_DATABASE_URL ?? (pooled ? undefined : settings.DATABASE_URL);
  if (url !== undefined) return listen(url, log, callbacks, access);
  log.warn('LISTEN_DATABASE_URL is not set, so work is found by polling once a second');
  return { pid: () => null, close() {} };
}

runProgram(start);
