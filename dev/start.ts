import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SettingError } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { migrate } from '../db/migrate.ts';
import { application, compile, metricsPort } from './applications.ts';
import { reclaimChildren } from './children.ts';
import { ensureDemo } from './demo.ts';
import { homeFolder, loadCredentials, requireListening, StartError, writeJson } from './home.ts';
import { originOf } from './listening.ts';
import { takeHome } from './lock.ts';
import { until } from './processes.ts';
import { showing } from './progress.ts';
import { runFile } from './run-file.ts';
import { startServers } from './servers.ts';
import type { Servers } from './servers.ts';
import { Supervisor } from './supervisor.ts';

const READY_TIMEOUT_MS = 60_000;
const SAME_INTERRUPT_MS = 1_000;

const home = homeFolder();
const supervisor = new Supervisor(home);
let releaseHome: () => void = () => {};
let ending = false;
let interruptedAt: number | undefined;

async function main(): Promise<void> {
  const begun = Date.now();
  const settings = readSettings();
  releaseHome = await showing('Waiting for the data folder', takeHome(home));
  await reclaimChildren(home);
  await requireListening(settings.PORT, settings.HOST);
  await requireMetricsListening(settings);
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });

  const credentials = loadCredentials(home);
  // What it cannot load, the start itself complains of.
  const compiled = compile(['api', 'worker'], home).catch(() => {});
  const servers = await startServers(settings, home, credentials, (service) => supervisor.run(service));
  const ran = await showing('Migrating the database', migrate(servers.database.migrator));
  if (ran.length > 0) console.log(`Database: ${ran.length} migrations applied`);
  const origin = originOf(settings.PORT, settings.HOST);
  const addresses = { base_url: `${origin}/v1`, temporal_ui_url: servers.temporalUiUrl };
  await showing('Making the demo Site', ensureDemo(home, servers.database.application, addresses));
  writeJson(runFile(home), {
    ...addresses,
    database_url: servers.database.application,
    migration_database_url: servers.database.migrator,
    support_database_url: servers.database.support,
    temporal_address: servers.temporalAddress,
    temporal_namespace: settings.TEMPORAL_NAMESPACE,
    storage: servers.storage,
  });

  await showing('Compiling', compiled);
  supervisor.run(application('worker', home, settings, servers, credentials));
  supervisor.run(application('api', home, settings, servers, credentials));
  const ready = until(() => answers(`${origin}/readyz`), READY_TIMEOUT_MS, 100);
  if (!(await showing('Starting API and worker', ready))) {
    throw new StartError(`The API did not become ready; its log is ${join(home, 'logs', 'api.log')}.`);
  }
  greet(origin, servers, settings, Date.now() - begun);
}

/** What METRICS_PORT comes to is looked at before anything is: whether a port is free says nothing of a wrong one. @throws StartError */
async function requireMetricsListening(settings: Settings): Promise<void> {
  const ports: number[] = [];
  for (const name of ['api', 'worker'] as const) {
    const port = metricsPort(name, settings);
    if (port === undefined) return;
    if (port > 65_535)
      throw new StartError('METRICS_PORT: the worker takes the next port, so 65534 at most.');
    if (port === settings.PORT)
      throw new StartError(`METRICS_PORT: the ${name} would take ${port}, which PORT gives to requests.`);
    ports.push(port);
  }
  const names = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
  for (const port of ports) await requireListening(port, settings.METRICS_HOST, names);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}

function greet(origin: string, servers: Servers, settings: Settings, milliseconds: number): void {
  const demo = join(home, 'demo.json');
  console.log(`
Presswork is ready, after ${(milliseconds / 1000).toFixed(1)} s.

  API          ${origin}/v1
  Reference    ${origin}/docs
  Temporal UI  ${servers.temporalUiUrl ?? 'of the Temporal you named'}${metricsLine(settings)}
  Data         ${home}
  Logs         ${join(home, 'logs')}
  Demo keys    ${demo}

A first request:

  KEY=$(node -p "require('${demo}').secret_key")
  curl -s '${origin}/v1/articles?limit=3' -H "Authorization: Bearer $KEY"

Ctrl-C ends everything.
`);
}

/** Where the metrics of API and worker are, where they are shown. */
function metricsLine(settings: Settings): string {
  const shown = (['api', 'worker'] as const).flatMap((name) => metricsPort(name, settings) ?? []);
  const addresses = shown.map((port) => `${originOf(port, settings.METRICS_HOST)}/metrics`);
  return shown.length === 0 ? '' : `\n  Metrics      ${addresses.join(', ')}`;
}

/** Ends everything in order, once. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await supervisor.stop();
  releaseHome();
  process.exit(code);
}

async function fail(error: unknown): Promise<void> {
  // What is being ended fails while it waits for what has ended.
  if (ending) return;
  console.error(error instanceof StartError || error instanceof SettingError ? error.message : error);
  await end(1);
}

/** The first Ctrl-C ends everything in order, a later one at once. */
function interrupt(): void {
  // A terminal signals the whole group, and npm passes it on: that is still one Ctrl-C.
  if (interruptedAt !== undefined && Date.now() - interruptedAt < SAME_INTERRUPT_MS) return;
  if (interruptedAt !== undefined) {
    supervisor.kill();
    releaseHome();
    process.exit(1);
  }
  interruptedAt = Date.now();
  console.log('\nEnding Presswork …');
  void end(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// The launcher was killed: nobody is left to end this.
process.on('disconnect', () => void end(0));
process.on('uncaughtException', (error) => void fail(error));
// A closed terminal, or a reader such as head that has seen enough, does not end the product.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

main().catch(fail);
