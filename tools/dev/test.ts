import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from './home.ts';
import { exitCodeOf, startJest } from './jest.ts';
import { Supervisor } from './supervisor.ts';
import { createClusterFolder } from './cluster-folder.ts';
import { startTestServers } from './test-servers.ts';
import { findObjectStore, findPaymentsMock, findTemporal, findTimeSkippingServer } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'presswork-test-'));
const cluster = await createClusterFolder();
const supervisor = new Supervisor(home);
let jest: ChildProcess | undefined;
let ending = false;

/** A project of jest.config.js, or all of the configuration. */
const [tier = 'all', ...given] = process.argv.slice(2);
// Last, because it takes all arguments after it.
const selected = tier === 'all' ? [] : ['--selectProjects', tier];

/** Runs the tests against one PostgreSQL, one Temporal and one S3 server, started for this run. */
async function main(): Promise<number> {
  const tools = {
    temporal: await findTemporal(),
    objectStore: await findObjectStore(),
    timeSkipping: await findTimeSkippingServer(),
  };
  const paymentsMock = await findPaymentsMock();
  const servers = await startTestServers({ home, cluster }, supervisor, tools);
  return await runJest({ ...servers, PRESSWORK_TEST_PAYMENTS_MOCK: paymentsMock?.path ?? '' });
}

async function runJest(addresses: Record<string, string>): Promise<number> {
  jest = await startJest([...given, ...selected], addresses);
  return exitCodeOf(jest);
}

/** Kills the servers, whose data is no longer needed. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  jest?.kill();
  await supervisor.stop();
  for (const folder of [home, cluster]) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end(128 + constants.signals[signal]));
}
// The launcher was killed, so nothing else would stop this.
process.on('disconnect', () => void end(1));

main().then(end, (error: unknown) => {
  if (!ending) console.error(error instanceof StartError ? error.message : error);
  return end(1);
});
