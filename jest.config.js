import { availableParallelism } from 'node:os';

// They have commands of their own: npm run test:faults, test:runtimes and test:systems.
const others = ['<rootDir>/test/(faults|runtimes|systems)/'];

/** What every configuration of tests has. */
export const shared = {
  roots: ['<rootDir>/test'],
  runner: '<rootDir>/test/support/runner/runner.mjs',
  // Node loads them itself.
  transform: {},
  // What hangs, and not what is slow: machines differ.
  testTimeout: 180_000,
};

const tier = (displayName, testMatch, ignored = []) => ({
  ...shared,
  displayName,
  testMatch: [`<rootDir>/test/**/${testMatch}`],
  testPathIgnorePatterns: [...others, ...ignored],
});

/**
 * Tests run against real servers, which tools/dev/test.ts starts; see test/support. The name of a file says its tier:
 * `*.process.test.ts` starts, kills or crashes programs, `*.browser.test.ts` needs Chromium, and all others run in
 * jest's own processes.
 */
export default {
  projects: [
    tier('in-process', '*.test.ts', [String.raw`\.(process|browser)\.test\.ts$`]),
    tier('processes', '*.process.test.ts'),
    tier('browser', '*.browser.test.ts'),
  ],
  // One more than there are processors, as tests mostly wait for servers and processes.
  maxWorkers: availableParallelism() + 1,
};
