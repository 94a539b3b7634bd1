import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { exitCodeOf } from './jest.ts';
import { installGhost, installWordPress } from './systems.ts';

/** Pushes articles to real systems, which are installed once, beside the product's packages. */
async function main(): Promise<number> {
  const asked = process.argv[2];
  if (asked !== 'wordpress') await installGhost();
  if (asked !== 'ghost') await installWordPress();
  const args = [join(root, 'tools/dev/test.ts'), '--config', 'test/systems/jest.config.js'];
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
