import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SettingError } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { migrate } from '../db/migrate.ts';
import { ensureDemo } from './demo.ts';
import {
  homeFolder,
  isFree,
  loadCredentials,
  noteChildren,
  root,
  StartError,
  takeHome,
  writeJson,
} from './home.ts';
import { startServers } from './servers.ts';
import type { Servers } from './servers.ts';
import { until } from './processes.ts';
import { runFile } from './run-file.ts';
import { Supervised } from './supervised.ts';
import type { Service } from './supervised.ts';

const READY_TIMEOUT_MS = 60_000;
const STOP_PATIENCE_MS = 4_000;
const SAME_INTERRUPT_MS = 1_000;
const LOG_BYTES = 10_000_000;

/** Processes in the order in which they were started; they are ended in the reverse. */
const supervised: Supervised[] = [];
let releaseHome: () => void = () => {};
let stopping = false;

async function main(): Promise<void> {
  const begun = Date.now();
  const settings = readSettings();
  const home = homeFolder();
  releaseHome = await takeHome(home);
  if (!(await isFree(settings.PORT, settings.HOST))) {
    throw new StartError(
      `PORT: ${settings.PORT} is in use on ${settings.HOST}. Set PORT to another one, such as PORT=${settings.PORT + 1} npm start.`,
    );
  }
  mkdirSync(join(home, 'logs'), { recursive: true });

  const servers = await startServers(settings, home, loadCredentials(home), (service) =>
    supervise(home, service),
  );
  const ran = await migrate(servers.databaseUrl);
  if (ran.length > 0) console.log(`Database: ${ran.length} migrations applied`);
  const origin = `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${settings.PORT}`;
  await ensureDemo(home, servers.databaseUrl, {
    base_url: `${origin}/v1`,
    temporal_ui_url: servers.temporalUiUrl,
  });
  writeJson(runFile(home), { database_url: servers.databaseUrl, temporal_address: servers.temporalAddress });

  const env = processEnvironment(settings, servers);
  supervise(home, nodeProcess(home, 'worker', env, 384));
  supervise(home, nodeProcess(home, 'api', env, 256));
  const ready = await until(() => stopping || answers(`${origin}/readyz`), READY_TIMEOUT_MS, 100);
  if (stopping) return;
  if (!ready) throw new StartError(`The API did not become ready; see ${join(home, 'logs')}.`);
  greet(home, origin, servers, Date.now() - begun);
}

function supervise(home: string, service: Service): Supervised {
  rotate(service.logFile);
  const process = new Supervised(service, () => {
    noteChildren(
      home,
      supervised.flatMap(({ identity }) => (identity === undefined ? [] : [identity])),
    );
  });
  supervised.push(process);
  process.start();
  return process;
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES) renameSync(logFile, `${logFile}.old`);
}

function nodeProcess(
  home: string,
  name: 'api' | 'worker',
  env: NodeJS.ProcessEnv,
  heapMegabytes: number,
): Service {
  return {
    name,
    command: process.execPath,
    args: [`--max-old-space-size=${heapMegabytes}`, join(root, name, 'main.ts')],
    env,
    stopSignal: 'SIGTERM',
    logFile: join(home, 'logs', `${name}.log`),
  };
}

function processEnvironment(settings: Settings, servers: Servers): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    ...servers.storage,
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}

function greet(home: string, origin: string, servers: Servers, milliseconds: number): void {
  const demo = join(home, 'demo.json');
  console.log(`
Presswork is ready, after ${(milliseconds / 1000).toFixed(1)} s.

  API          ${origin}/v1
  Reference    ${origin}/docs
  Temporal UI  ${servers.temporalUiUrl ?? 'of the Temporal you named'}
  Data, logs   ${home}
  Demo keys    ${demo}

A first request:

  KEY=$(node -p "require('${demo}').secret_key")
  curl -s '${origin}/v1/articles?limit=3' -H "Authorization: Bearer $KEY"

Ctrl-C ends everything.
`);
}

/** Ends everything, what was started last first, so that nobody loses what it stands on. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const applications = supervised.filter(
    ({ service }) => service.name === 'api' || service.name === 'worker',
  );
  const servers = supervised.filter((process) => !applications.includes(process));
  await Promise.all(applications.map((process) => process.stop(STOP_PATIENCE_MS)));
  await Promise.all(servers.map((process) => process.stop(STOP_PATIENCE_MS)));
  releaseHome();
  process.exit(code);
}

let interruptedAt: number | undefined;

/** The first Ctrl-C ends everything in order, a later one at once. */
function interrupt(): void {
  // A terminal signals the whole group, and npm passes it on: that is still one Ctrl-C.
  if (interruptedAt !== undefined && Date.now() - interruptedAt < SAME_INTERRUPT_MS) return;
  if (interruptedAt !== undefined) {
    for (const process of supervised) process.kill();
    releaseHome();
    process.exit(1);
  }
  interruptedAt = Date.now();
  console.log('\nEnding Presswork …');
  void stop(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// The launcher was killed: nobody is left to end this.
process.on('disconnect', () => void stop(0));

main().catch(async (error: unknown) => {
  const expected = error instanceof StartError || error instanceof SettingError;
  console.error(expected ? error.message : error);
  await stop(1);
});
