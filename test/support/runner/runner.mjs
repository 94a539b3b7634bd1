import { createJestRunner } from 'create-jest-runner';
import { endProcess } from './end-of-process.ts';

const FilesRunner = createJestRunner(new URL('run-file.mjs', import.meta.url).pathname);

/** Runs test files in processes of Node itself (docs/decisions/0008). */
export default class Runner extends FilesRunner {
  /** Tests that run one after the other run in this process, and all others in processes that call their `teardown`. */
  async runTests(...given) {
    await super.runTests(...given);
    if (given.at(-1).serial) await endProcess();
  }
}
