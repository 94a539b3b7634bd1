import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createSeoScanActivities, STEPS_AT_ONCE } from '../../activities/seo-scan.ts';
import { createScanKinds } from '../../activities/seo-scan/kinds.ts';
import { createArticleReader } from '../../adapters/articles/reader.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { readPage } from '../../adapters/pages/read-page.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import { systemClock } from '../../domain/clock.ts';
import { createOrganisation } from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { createScan } from '../../domain/seo/create-scan.ts';
import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { parseAllowedHosts } from '../../runtime/allowed-hosts.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { Relay } from '../../worker/relay.ts';
import { SCAN_TASK_QUEUE, TASK_QUEUE } from '../../workflows/names.ts';
import { began, timed } from './pipeline.ts';

/** Crawls of as many Sites at the same time. */
const TOGETHER = 8;

export interface ScanSpeed {
  /** Pages per second: of one crawl, and of several together. */
  readonly alone: number;
  readonly together: number;
  /** The same pages, visited and read apart from the event loop, without a scan. */
  readonly visited: number;
  /** The same pages, fetched and parsed in this process, and nothing else. */
  readonly bare: number;
}

export interface ScanBench {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly pages: number;
}

/**
 * Measures crawls of a site on this machine, by a worker that does not wait for its turn: with two requests a second to a
 * host, every machine is as fast.
 *
 * @throws Error if a crawl did not complete, or not with all pages
 */
export async function measureScans(bench: ScanBench): Promise<ScanSpeed> {
  const site = fork(fileURLToPath(new URL('./scanned-site.ts', import.meta.url)));
  const [{ port }] = (await once(site, 'message')) as [{ port: number }];
  const host = `127.0.0.1:${port}`;
  const allowedHosts = parseAllowedHosts(host);
  const http = createGuardedClient({ allowedHosts, targets: { plainHttp: true }, names: new Names() });
  const visitor = createPageVisitor({ http, turns: { take: async () => 0, begin: async () => 0 } });
  try {
    const urls = Array.from({ length: bench.pages }, (_, number) => `http://${host}/${number}`);
    // By turns, because the speed of a machine changes from minute to minute.
    const bare = [await perSecond(urls, fetchAndParse)];
    const visited = [await perSecond(urls, visiting(visitor))];
    const { alone, together } = await measureCrawls(bench, `http://${host}/0`, visitor);
    bare.push(await perSecond(urls, fetchAndParse));
    visited.push(await perSecond(urls, visiting(visitor)));
    return { alone, together, visited: mean(visited), bare: mean(bare) };
  } finally {
    visitor.close();
    await http.close();
    site.disconnect();
  }
}

async function fetchAndParse(url: string): Promise<void> {
  const answer = await fetch(url);
  const bytes = await answer.bytes();
  readPage({ bytes, url, contentType: answer.headers.get('content-type') ?? '', robotsTag: '' });
}

const visiting = (visitor: PageVisitor) => {
  const options = { siteId: 'bench', signal: new AbortController().signal, read: true };
  return async (url: string): Promise<void> => {
    const visit = await visitor.visit(url, options);
    if (visit.outcome !== 'answered' || (await visitor.read(visit, options)) === null)
      throw new Error(`${url} is no page`);
  };
};

/** One page after the other, as a crawl asks for them. */
async function perSecond(urls: readonly string[], visit: (url: string) => Promise<void>): Promise<number> {
  const begun = performance.now();
  for (const url of urls) await visit(url);
  return (urls.length / (performance.now() - begun)) * 1_000;
}

const mean = (figures: readonly number[]): number =>
  figures.reduce((sum, figure) => sum + figure, 0) / figures.length;

async function measureCrawls(
  { databaseUrl: connectionString, temporalAddress, namespace, pages }: ScanBench,
  startUrl: string,
  visitor: PageVisitor,
): Promise<Pick<ScanSpeed, 'alone' | 'together'>> {
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const client = new Client({ connection, namespace });
  const log = pino({ level: 'silent' });
  await prepareNamespace(connection, namespace, log);
  const db = createDatabase({ connectionString, applicationName: 'presswork-bench', poolSize: 16 });
  const articles = createArticleReader();
  const kinds = createScanKinds({ db, articles, pages: visitor, clock: systemClock });
  const activities = createSeoScanActivities({ db, clock: systemClock, log, kinds });
  const common = { connection, namespace, activities };
  const crawl = async (count: number): Promise<number> => {
    const ids = await startCrawls(db, { count, pages, startUrl });
    const relay = new Relay({ db, client, clock: systemClock, log });
    const relaying = relay.run();
    await Promise.all(ids.map((id) => began(client, id)));
    relay.stop();
    await relaying;
    const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
    const scans = await Worker.create({ ...common, taskQueue: TASK_QUEUE, workflowsPath });
    const maxConcurrentActivityTaskExecutions = STEPS_AT_ONCE;
    const steps = await Worker.create({
      ...common,
      taskQueue: SCAN_TASK_QUEUE,
      maxConcurrentActivityTaskExecutions,
    });
    const seconds = await steps.runUntil(timed(scans, client, ids, 'completed'));
    return (count * pages) / seconds;
  };
  try {
    const speeds = { alone: await crawl(1), together: await crawl(TOGETHER) };
    const { rows } = await db.pool.query<{ counted: number }>('select distinct counted from seo_scans');
    if (rows.length !== 1 || rows[0]?.counted !== pages)
      throw new Error(`Crawls ended with ${rows.map(({ counted }) => counted).join(', ')} of ${pages} pages`);
    return speeds;
  } finally {
    articles.close();
    await db.close();
    await connection.close();
  }
}

/** @returns the ids of their workflows */
function startCrawls(
  db: Database,
  { count, pages, startUrl }: { readonly count: number; readonly pages: number; readonly startUrl: string },
): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    const now = new Date();
    const act = { tx, actor: operator, now };
    const organisationId = await createOrganisation(act, {
      name: 'Crawled',
      plan: 'pro',
      credits: count * pages,
    });
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const domain = `blog-${count}-${made}.example.com`;
      const place = { domain, locale: 'en', timezone: 'Europe/Berlin', spendCap: null };
      const id = await createSite(act, { organisationId, name: 'Crawled', ...place });
      const scan = await createScan(
        { ...act, site: { id, organisationId, domain } },
        { outbound: true, exempts: () => true },
        { kind: 'site-crawl', parameters: { max_pages: pages, start_url: startUrl }, resumeId: undefined },
      );
      ids.push(workflowIdOf('seo-scan', scan.id));
    }
    return ids;
  });
}

/** A line for the report. */
export function formatScans({ alone, together, visited, bare }: ScanSpeed): string {
  const beside = (pages: number): string =>
    `${pages.toFixed(0)} pages/s (${Math.round((pages / bare) * 100)} %)`;
  return (
    `seo: a crawl ${beside(alone)}, ${TOGETHER} at the same time ${beside(together)}, visited and read apart ${beside(visited)}, ` +
    `beside ${bare.toFixed(0)} pages/s fetched and parsed`
  );
}
