import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../../db/migrate.ts';
import { Presswork } from '../../../sdk/src/index.ts';
import { blogEvents } from '../../dev/blog-access.ts';
import { root } from '../../../runtime/home.ts';
import { loadCredentials } from '../../dev/home.ts';
import { treeProcessorMs } from '../process-usage.ts';
import { startApi, startWorker } from '../processes.ts';
import type { ServerProcess, StartedProcess } from '../processes.ts';
import type { OnEnd } from '../run.ts';
import { startPostgres, startTemporal } from '../servers.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { prepareBlogs } from './blogs.ts';
import type { Blog, BlogSize } from './blogs.ts';

/** The number of Sites with a webhook endpoint: the largest ones. */
const WITH_ENDPOINT = 10;

/** Settings that make PostgreSQL count statements. */
const STATEMENTS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  track_io_timing: 'on',
};

/** The whole product on its servers, with Sites to send traffic to. */
export interface LoadStack {
  readonly databaseUrl: string;
  readonly blogs: readonly Blog[];
  readonly workers: readonly StartedProcess[];
  readonly apis: readonly ServerProcess[];
  /** One more API process. */
  addApi(): Promise<void>;
  /** The processor time of each part so far, in ms. */
  processorMs(): Readonly<Record<string, number>>;
}

export interface StackOptions {
  readonly size: BlogSize;
  /** Whether PostgreSQL counts every statement, which costs a few per cent. */
  readonly counting?: boolean;
  /** Worker processes; 1 by default. */
  readonly workers?: number;
}

/** @param home the data folder; data that an earlier run seeded there is reused */
export async function startStack(
  home: string,
  { size, counting = false, workers: workerCount = 1 }: StackOptions,
  onEnd: OnEnd,
): Promise<LoadStack> {
  const postgres = await startPostgres(home, onEnd, counting ? STATEMENTS : {});
  await migrate(postgres.url);
  const blogs = await prepareBlogs(postgres.url, home, size);
  const receiver = await startReceiver();
  onEnd(() => receiver.stop());
  const temporal = await startTemporal(home, onEnd);
  const env = {
    ENCRYPTION_KEY: loadCredentials(home).encryptionKey,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.url,
    WEBHOOK_ALLOWED_HOSTS: new URL(receiver.origin).host,
  };
  const flags = [
    '--expose-gc',
    `--import=${pathToFileURL(join(root, 'tools/bench/open-loop/memory-probe.ts')).href}`,
  ];
  const apis: ServerProcess[] = [];
  const addApi = async (): Promise<void> => {
    const logFile = join(home, `api-${apis.length}.log`);
    apis.push(await startApi({ env, logFile, flags }, onEnd));
  };
  await addApi();
  const workers: StartedProcess[] = [];
  while (workers.length < workerCount) {
    const logFile = join(home, `worker-${workers.length}.log`);
    workers.push(await startWorker({ env: { ...env, LOG_LEVEL: 'info' }, logFile, flags }, onEnd));
  }
  const [api] = apis;
  if (api !== undefined)
    for (const blog of blogs.slice(0, WITH_ENDPOINT))
      await registerEndpoint(api.origin, blog, receiver.origin);
  return {
    databaseUrl: postgres.url,
    blogs,
    workers,
    apis,
    addApi,
    processorMs: () => {
      const of = (...pids: number[]): number =>
        pids.reduce((sum, pid) => sum + (treeProcessorMs(pid) ?? 0), 0);
      return {
        API: of(...apis.map(({ pid }) => pid)),
        worker: of(...workers.map(({ pid }) => pid)),
        PostgreSQL: of(postgres.pid),
        Temporal: of(temporal.pid),
        receiver: of(receiver.pid),
      };
    },
  };
}

/** Gives a Site an endpoint for every event. Replaces those of an earlier run, whose receiver is gone. */
export async function registerEndpoint(
  origin: string,
  { keys, siteId }: Blog,
  receiver: string,
): Promise<void> {
  const { webhooks } = new Presswork({ baseUrl: `${origin}/v1`, apiKey: keys[0] ?? '' });
  for await (const { id } of webhooks.list()) await webhooks.delete(id);
  await webhooks.create({ url: `${receiver}/${siteId}`, events: blogEvents });
}
