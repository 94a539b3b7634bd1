import { availableParallelism } from 'node:os';

/** Tests run against real servers, which tools/dev/test.ts starts; see test/support. */
export default {
  testEnvironment: '<rootDir>/test/support/jest-environment.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They have commands of their own: npm run test:faults, npm run test:runtimes.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/', '<rootDir>/test/runtimes/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.cache', '<rootDir>/.presswork', '<rootDir>/sdk/dist'],
  // What hangs, and not what is slow: machines differ.
  testTimeout: 180_000,
  // One more than there are processors, as tests mostly wait for servers and processes.
  maxWorkers: availableParallelism() + 1,
  // A test file's modules are not all given back; a process that holds too many is replaced between two files.
  workerIdleMemoryLimit: '1GB',
};
