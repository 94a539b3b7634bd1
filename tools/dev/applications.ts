import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../../runtime/settings.ts';
import { END_WITH_INPUT, LOAD_ONLY } from '../../runtime/run-program.ts';
import { root } from '../../runtime/home.ts';
import { built } from './built.ts';
import type { Credentials } from './home.ts';
import type { Servers } from './servers.ts';
import type { Service } from './supervised.ts';

/** The product's programs that `npm start` runs. */
export type Program = 'api' | 'worker';

/** The command that starts a program with the measured settings. @param nodeOptions additional options of Node */
export const programCommand = (name: Program, nodeOptions: readonly string[] = []): readonly string[] => [
  'sh',
  join(root, 'runtime/run.sh'),
  name,
  ...nodeOptions,
];

const run = promisify(execFile);

/**
 * Compiles the modules of API and worker before they start. They then start in half the time, and do not load the
 * compiler, which would occupy 30 MB in each.
 *
 * @returns the variable by which Node finds them compiled
 */
export async function compile(): Promise<{ NODE_COMPILE_CACHE: string }> {
  const folder = await built({
    name: 'programs',
    // One that is missing here is compiled by the start itself.
    sources: [
      '{activities,adapters,api,db,domain,observability,packages,runtime,worker,workflows}/**/*.{ts,sh}',
      'package-lock.json',
    ],
    // Node knows a module by its path.
    ofThisClone: true,
    make: (making) => {
      const env = { ...process.env, NODE_COMPILE_CACHE: making };
      const load = (name: Program) => {
        const [command = '', ...args] = programCommand(name, [LOAD_ONLY]);
        return run(command, args, { env });
      };
      return Promise.all([load('api'), load('worker')]);
    },
  });
  return { NODE_COMPILE_CACHE: folder };
}

export const bundleFile = (home: string): string => join(home, 'workflows.bundle.js');

/**
 * Bundles the workflows once, because a restarted worker would take a second or more for it. The data folder has its own
 * copy, because workers restart after the cache has dropped it.
 */
export async function bundleWorkflows(home: string): Promise<void> {
  const file = 'workflows.bundle.js';
  const folder = await built({
    name: 'workflows',
    sources: ['workflows/**', 'worker/bundle.ts', 'package-lock.json'],
    // Its source map has whole paths, which the Temporal UI shows.
    ofThisClone: true,
    make: (making) => run(process.execPath, [join(root, 'worker/bundle.ts'), join(making, file)]),
  });
  await copyFile(join(folder, file), bundleFile(home));
}

/** The metrics port of a program, if metrics are on: METRICS_PORT for the API, the next one for the worker. */
export const metricsPort = (name: Program, { METRICS_PORT: port }: Settings): number | undefined =>
  port === undefined || name === 'api' ? port : port + 1;

/** API or worker as a process, configured by its environment. @param compiled how it finds its compiled modules */
export function application(
  name: Program,
  home: string,
  compiled: Readonly<Record<string, string>>,
  settings: Settings,
  servers: Servers,
  credentials: Credentials,
): Service {
  const [command = '', ...args] = programCommand(name);
  const given: Record<string, string | undefined> = {
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    // There is no load balancer here.
    SHUTDOWN_DELAY: process.env['SHUTDOWN_DELAY'] || '0s',
    METRICS_PORT: metricsPort(name, settings)?.toString(),
    DATABASE_URL: servers.database.application,
    // API and worker use no other role.
    MIGRATION_DATABASE_URL: '',
    SUPPORT_DATABASE_URL: '',
    ADMIN_DATABASE_URL: '',
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: servers.temporalNamespace,
    ...(settings.ENCRYPTION_KEY === undefined && { ENCRYPTION_KEY: credentials.encryptionKey }),
    ...servers.storage,
  };
  // A value and a file of it would be refused.
  const files = Object.keys(given).map((variable) => `${variable}_FILE`);
  return {
    name,
    role: 'application',
    command,
    args,
    env: {
      ...process.env,
      ...Object.fromEntries(files.filter((file) => process.env[file]).map((file) => [file, ''])),
      NODE_ENV: 'production',
      [END_WITH_INPUT]: 'on',
      ...compiled,
      WORKFLOW_BUNDLE: process.env['WORKFLOW_BUNDLE'] || bundleFile(home),
      ...given,
    },
    stopSignal: 'SIGTERM',
    logFile: join(home, 'logs', `${name}.log`),
  };
}
