import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { exitCodeOf } from './jest.ts';

/** Runs tests that need more than the packages, and ends with their exit code. @param config path of jest's configuration */
export function runFurtherTests(config: string, install: () => Promise<void>): void {
  runAfter(install, config).then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof StartError ? error.message : error);
      process.exit(1);
    },
  );
}

async function runAfter(install: () => Promise<void>, config: string): Promise<number> {
  await install();
  const args = [join(root, 'tools/dev/test.ts'), 'all', '--config', config];
  const tests = spawn(process.execPath, [...args, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  // The launcher was killed.
  process.on('disconnect', () => tests.kill());
  return exitCodeOf(tests);
}
