import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, StartError } from './home.ts';
import { Supervisor } from './supervisor.ts';
import { startTestServers } from './test-servers.ts';
import { findObjectStore, findTemporal, findTimeSkippingServer } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'presswork-test-'));
const supervisor = new Supervisor(home);
let jest: ChildProcess | undefined;
let ending = false;

/** Runs the tests against one PostgreSQL, one Temporal and one S3 server, started for them alone. */
async function main(): Promise<number> {
  const tools = {
    temporal: await findTemporal(),
    objectStore: await findObjectStore(),
    timeSkipping: await findTimeSkippingServer(),
  };
  return await runJest(await startTestServers(home, supervisor, tools));
}

function runJest(addresses: Record<string, string>): Promise<number> {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', '--no-warnings', program, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...addresses },
  });
  jest = child;
  return new Promise((done) =>
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])),
  );
}

/** Ends the servers, whose data nobody needs any more. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  jest?.kill();
  await supervisor.stop();
  rmSync(home, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end(128 + constants.signals[signal]));
}
// The launcher was killed: nobody is left to end this.
process.on('disconnect', () => void end(1));

main().then(end, (error: unknown) => {
  if (!ending) console.error(error instanceof StartError ? error.message : error);
  return end(1);
});
