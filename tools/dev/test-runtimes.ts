import { runFurtherTests } from './further-tests.ts';
import { installRuntime, runtimes } from './runtimes.ts';

/** Runs the packed SDK on every runtime that it promises, against an API of the tests. */
runFurtherTests('test/runtimes/jest.config.js', async () => {
  for (const runtime of runtimes) await installRuntime(runtime);
});
