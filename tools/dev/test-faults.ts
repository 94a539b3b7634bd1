import { StartError } from './home.ts';
import { exitCodeOf, startJest } from './jest.ts';
import { findObjectStore, findTemporal } from './tools.ts';

/** Runs the fault scenarios. Each starts its own product, and stops it even if this process is killed. */
async function main(): Promise<number> {
  // Once, before two products look for them at the same time.
  await Promise.all([findTemporal(), findObjectStore()]);
  const jest = await startJest(['--config', 'test/faults/jest.config.js', ...process.argv.slice(2)], {});
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => jest.kill(signal));
  // The launcher was killed.
  process.on('disconnect', () => jest.kill());
  return exitCodeOf(jest);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
