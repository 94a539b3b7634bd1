import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { exitCodeOf } from './jest.ts';
import { installRuntime, runtimes } from './runtimes.ts';

/** Runs the packed SDK on every runtime that it promises, against an API of the tests. */
async function main(): Promise<number> {
  for (const runtime of runtimes) await installRuntime(runtime);
  const args = [join(root, 'tools/dev/test.ts'), '--config', 'test/runtimes/jest.config.js'];
  const tests = spawn(process.execPath, [...args, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  // The launcher was killed.
  process.on('disconnect', () => tests.kill());
  return exitCodeOf(tests);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
