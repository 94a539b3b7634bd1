import { createJestRunner } from 'create-jest-runner';

/** Runs test files in processes of Node itself (docs/decisions/0111). */
export default createJestRunner(new URL('run-file.mjs', import.meta.url).pathname);
