import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAccess } from '../../runtime/database-access.ts';
import { listeningOrigin } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import { migrate } from '../../db/migrate.ts';
import { application, bundleWorkflows, compile, metricsPort } from './applications.ts';
import { buildDashboard } from './dashboard.ts';
import { dashboardPath } from './demo-link.ts';
import { ensureDemo } from './demo.ts';
import { homeFolder, runFile } from '../../runtime/home.ts';
import { loadCredentials, StartError, writeJson } from './home.ts';
import { prepareStart, reportOf } from './prepare-start.ts';
import { until } from './processes.ts';
import { showing } from './progress.ts';
import { savedViews, viewUrl } from './saved-views.ts';
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
  const { settings, outside } = await prepareStart(process.env, (release) => {
    releaseHome = release;
  });
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
  const credentials = loadCredentials(home);
  // A module that cannot be loaded is reported by the start itself.
  const compiling = compile().catch(() => ({}));
  const bundled = bundleWorkflows(home);
  const dashboard = buildDashboard();
  // A failure is reported when it is awaited.
  bundled.catch(() => {});
  dashboard.catch(() => {});
  const servers = await startServers(outside, settings, home, credentials, (service) =>
    supervisor.run(service),
  );
  const access = databaseAccess(settings);
  const ran = await showing('Migrating the database', migrate(servers.database.migrator, undefined, access));
  if (ran.length > 0) console.log(`Database: ${ran.length} migrations applied`);
  const origin = listeningOrigin(settings.HOST, settings.PORT);
  const addresses = { base_url: `${origin}/v1`, temporal_ui_url: servers.temporalUiUrl };
  const hasKeys = await showing(
    'Making the demo Site',
    ensureDemo(home, { ...access, connectionString: servers.database.application }, addresses),
  );
  writeJson(runFile(home), {
    ...addresses,
    database_url: servers.database.application,
    migration_database_url: servers.database.migrator,
    support_database_url: servers.database.support,
    temporal_address: servers.temporalAddress,
    temporal_namespace: servers.temporalNamespace,
    storage: servers.storage,
  });

  const [compiled] = await showing('Compiling', Promise.all([compiling, bundled]));
  const folder = await showing('Building the dashboard', dashboard);
  supervisor.run(application('worker', home, compiled, settings, servers, credentials));
  const api = application('api', home, compiled, settings, servers, credentials);
  supervisor.run({
    ...api,
    env: { ...api.env, DASHBOARD_FOLDER: process.env['DASHBOARD_FOLDER'] || folder },
  });
  const ready = until(() => answers(`${origin}/readyz`), READY_TIMEOUT_MS, 100);
  if (!(await showing('Starting API and worker', ready))) {
    throw new StartError(`The API did not become ready; its log is ${join(home, 'logs', 'api.log')}.`);
  }
  const path = await dashboardPath({ ...access, connectionString: servers.database.application });
  greet(origin, origin + path, servers, settings, Date.now() - begun);
  if (hasKeys) showFirstRequest(origin);
  console.log('Ctrl-C ends everything.\n');
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}

/** @param dashboard signs in once, if there is a demo owner: it is printed, and nowhere logged */
function greet(
  origin: string,
  dashboard: string,
  servers: Servers,
  settings: Settings,
  milliseconds: number,
): void {
  console.log(`
Presswork is ready, after ${(milliseconds / 1000).toFixed(1)} s.

  Dashboard    ${dashboard}
  API          ${origin}/v1
  Reference    ${origin}/docs
  Temporal UI  ${servers.temporalUiUrl ?? 'of the Temporal you named'}${metricsLine(settings)}
  Data         ${home}
  Logs         ${join(home, 'logs')}
${signInLine(origin, dashboard)}${viewLines(servers)}`);
}

/** Nothing if the demo owner, whom the address would sign in, has been removed. */
function signInLine(origin: string, dashboard: string): string {
  const later = `${origin}/dashboard`;
  if (dashboard === later) return '';
  return `\nThe address of the dashboard signs you in once, within 15 minutes. After that it is ${later}\n`;
}

function showFirstRequest(origin: string): void {
  const demo = join(home, 'demo.json');
  console.log(`A first request, with the keys in ${demo}:

  KEY=$(node -p "require('${demo}').secret_key")
  curl -s '${origin}/v1/articles?limit=3' -H "Authorization: Bearer $KEY"
`);
}

/** The queries of an operator in the Temporal UI, to click on. */
function viewLines({ temporalUiUrl, temporalNamespace: namespace }: Servers): string {
  if (temporalUiUrl === null) return '';
  const width = Math.max(...savedViews.map(({ name }) => name.length));
  const lines = savedViews.map(
    (view) => `  ${view.name.padEnd(width)}  ${viewUrl(temporalUiUrl, namespace, view)}`,
  );
  return `\nIn the Temporal UI:\n\n${lines.join('\n')}\n`;
}

/** The addresses of the metrics of API and worker, if metrics are on. */
function metricsLine(settings: Settings): string {
  const shown = (['api', 'worker'] as const).flatMap((name) => metricsPort(name, settings) ?? []);
  const addresses = shown.map((port) => `${listeningOrigin(settings.METRICS_HOST, port)}/metrics`);
  return shown.length === 0 ? '' : `\n  Metrics      ${addresses.join(', ')}`;
}

/** Stops everything in order, once. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await supervisor.stop();
  releaseHome();
  process.exit(code);
}

async function fail(error: unknown): Promise<void> {
  // Errors during shutdown are expected: components lose their dependencies.
  if (ending) return;
  console.error(reportOf(error));
  await end(1);
}

/** The first Ctrl-C stops everything in order, a later one at once. */
function interrupt(): void {
  // A terminal signals the whole group, and npm forwards the signal: both are one Ctrl-C.
  if (interruptedAt !== undefined && Date.now() - interruptedAt < SAME_INTERRUPT_MS) return;
  if (interruptedAt !== undefined) {
    supervisor.kill();
    releaseHome();
    process.exit(1);
  }
  interruptedAt = Date.now();
  console.log('\nStopping Presswork …');
  void end(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// The launcher was killed, so nothing else would stop this.
process.on('disconnect', () => void end(0));
process.on('uncaughtException', (error) => void fail(error));
// A closed terminal, or a reader such as head that has exited, does not stop the product.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

main().catch(fail);
