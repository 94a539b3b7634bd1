import { availableParallelism } from 'node:os';

/** Tests run against real servers, which tools/dev/test.ts starts; see test/support. */
export default {
  runner: '<rootDir>/test/support/runner/runner.mjs',
  // Node loads them itself.
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They have commands of their own: npm run test:faults, test:runtimes and test:systems.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(faults|runtimes|systems)/'],
  modulePathIgnorePatterns: ['<rootDir>/.cache', '<rootDir>/.presswork', '<rootDir>/sdk/dist'],
  // What hangs, and not what is slow: machines differ.
  testTimeout: 180_000,
  // One more than there are processors, as tests mostly wait for servers and processes.
  maxWorkers: availableParallelism() + 1,
};
