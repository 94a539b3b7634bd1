import { Worker } from '@temporalio/worker';
import { createSeoScanActivities, STEPS_AT_ONCE } from '../../activities/seo-scan.ts';
import type { ScanKinds } from '../../domain/seo/scan-kind.ts';
import { createScanKinds } from '../../activities/seo-scan/kinds.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createArticleReader } from '../../adapters/articles/reader.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { freeTurns } from './scan-visitor.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import type { ScanKind } from '../../domain/seo/scan-kind.ts';
import { SCAN_TASK_QUEUE, TASK_QUEUE } from '../../workflows/names.ts';
import { Relay } from '../../worker/relay.ts';
import { startApi } from './api.ts';
import type { TestApi } from './api.ts';
import { eventually } from './eventually.ts';
import { silent, startTemporal, workflowBundle } from './temporal.ts';
import type { TestTemporal } from './temporal.ts';

/** A crawl of pages that exist only here: `pages` in one part, each without a fault. */
export const crawlOf = (pages: readonly string[], examine?: ScanKind['examine']): ScanKind<'site-crawl'> => ({
  name: 'site-crawl',
  plan: async () => ({
    targets: pages.map((key) => ({ key, url: key, articleId: null, memo: {}, examine: true })),
    next: null,
  }),
  examine: async (work, targets) =>
    (await examine?.(work, targets)) as Awaited<ReturnType<ScanKind<'site-crawl'>['examine']>>,
});

export const nothingFound = { faults: [], lookedAt: [] } as const;

/** The API, the relay and a worker for scans. */
export interface ScanStack {
  readonly api: TestApi;
  readonly temporal: TestTemporal;
  close(): Promise<void>;
}

/**
 * @param kinds instead of the product's
 * @param pages instead of a visitor that reaches nothing on this machine
 */
export async function startScans(
  kinds: Partial<ScanKinds> = {},
  pages?: PageVisitor,
  start: () => Promise<TestApi> = startApi,
  startServer: () => Promise<TestTemporal> = startTemporal,
): Promise<ScanStack> {
  const [api, temporal] = await Promise.all([start(), startServer()]);
  const processes = createJobProcesses();
  const articles = createArticleReader(processes);
  const visitor = pages ?? createPageVisitor({ http: createGuardedClient(), turns: freeTurns }, processes);
  const own = createScanKinds({ db: api.db, articles, pages: visitor, clock: systemClock });
  const common = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    activities: createSeoScanActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      kinds: { ...own, ...kinds },
    }),
  };
  const workers = await Promise.all([
    Worker.create({ ...common, taskQueue: TASK_QUEUE, workflowBundle }),
    Worker.create({
      ...common,
      taskQueue: SCAN_TASK_QUEUE,
      maxConcurrentActivityTaskExecutions: STEPS_AT_ONCE,
    }),
  ]);
  const working = workers.map((worker) => worker.run());
  const relay = new Relay({ db: api.db, client: temporal.client, clock: systemClock, log: silent });
  const relaying = relay.run();
  // Replaces the listener.
  const waking = setInterval(() => relay.wake(), 50);
  return {
    api,
    temporal,
    async close() {
      clearInterval(waking);
      relay.stop();
      for (const worker of workers) worker.shutdown();
      await Promise.all([relaying, ...working]);
      processes.close();
      await temporal.close();
      await api.close();
    },
  };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function startScan(api: TestApi, key: string, kind: string, body: object = {}): Promise<any> {
  const answer = await api.request('POST', `/seo/scans/${kind}`, { key, body });
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return answer.data;
}

/** Waits until a scan has ended. @returns the scan */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function endedScan(api: TestApi, key: string, scanId: string): Promise<any> {
  let scan: { status: string } | undefined;
  await eventually(
    'the scan has ended',
    async () => {
      scan = (await api.request('GET', `/seo/scans/${scanId}`, { key })).data;
      return scan?.status !== 'queued' && scan?.status !== 'running';
    },
    100,
  );
  return scan;
}

/** The Site's findings, by their rules. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function findingsOf(api: TestApi, key: string, query = ''): Promise<any[]> {
  return (await api.request('GET', `/seo/findings?limit=100${query}`, { key })).data.items;
}
