import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../config/settings.ts';
import { LOAD_ONLY } from '../lifecycle/run-program.ts';
import { root } from './home.ts';
import type { Credentials } from './home.ts';
import type { Servers } from './servers.ts';
import type { Service } from './supervised.ts';

const HEAP_MEGABYTES = { worker: 384, api: 256 } as const;

/**
 * What Node is told of its memory. Requests leave little behind, so the young generation is kept small: V8's own choice
 * costs 100 MB. It may not shrink either: below 4 MB requests outlive it. Nor is it worth waking other threads for. The
 * last two keep V8 from placing what dies young among the old objects (docs/decisions/0036).
 */
export const heapFlags = (name: keyof typeof HEAP_MEGABYTES): readonly string[] => [
  `--max-old-space-size=${HEAP_MEGABYTES[name]}`,
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
];

/**
 * What glibc is told of memory: to give back what large pieces held. Its own choice keeps what decoded images took,
 * some 200 MB for good. Other C libraries pass over it.
 */
export const memorySettings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' } as const;

/**
 * Node looks names up in its threads, half of them at once: with its own choice of four, two names whose DNS server
 * hangs would hold up every other receiver's.
 */
const WORKER_THREADS = '32';

/** What Node has compiled is kept there, under the very options it was started with. */
export const compileCache = (home: string) => ({ NODE_COMPILE_CACHE: join(home, 'compile-cache') }) as const;

const run = promisify(execFile);

/**
 * Compiles what applications load, before they start: they then start in half the time and do not load the compiler,
 * which would keep 30 MB of each.
 */
export async function compile(names: readonly (keyof typeof HEAP_MEGABYTES)[], home: string): Promise<void> {
  const env = { ...process.env, ...compileCache(home) };
  const load = (name: keyof typeof HEAP_MEGABYTES) =>
    run(process.execPath, [...heapFlags(name), join(root, name, 'main.ts'), LOAD_ONLY], { env });
  await Promise.all(names.map(load));
}

/** Where an application shows its metrics, if anywhere: the API on METRICS_PORT, the worker on the next port. */
export const metricsPort = (name: 'api' | 'worker', { METRICS_PORT: port }: Settings): number | undefined =>
  port === undefined || name === 'api' ? port : port + 1;

/** API or worker as a process of its own, told by its environment where everything is. */
export function application(
  name: keyof typeof HEAP_MEGABYTES,
  home: string,
  settings: Settings,
  servers: Servers,
  credentials: Credentials,
): Service {
  return {
    name,
    role: 'application',
    command: process.execPath,
    args: [...heapFlags(name), join(root, name, 'main.ts')],
    env: {
      ...memorySettings,
      ...(name === 'worker' && { UV_THREADPOOL_SIZE: WORKER_THREADS }),
      ...process.env,
      NODE_ENV: 'production',
      ...compileCache(home),
      PORT: String(settings.PORT),
      HOST: settings.HOST,
      // Nobody balances the load here.
      SHUTDOWN_DELAY: process.env['SHUTDOWN_DELAY'] || '0s',
      METRICS_PORT: metricsPort(name, settings)?.toString(),
      DATABASE_URL: servers.database.application,
      // Who answers requests has no use for more.
      MIGRATION_DATABASE_URL: '',
      SUPPORT_DATABASE_URL: '',
      ADMIN_DATABASE_URL: '',
      TEMPORAL_ADDRESS: servers.temporalAddress,
      ENCRYPTION_KEY: process.env['ENCRYPTION_KEY'] || credentials.encryptionKey,
      TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
      ...servers.storage,
    },
    stopSignal: 'SIGTERM',
    logFile: join(home, 'logs', `${name}.log`),
  };
}
