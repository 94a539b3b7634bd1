/** Tests run against real servers, which dev/test.ts starts; see test/support. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They have a command of their own: npm run test:faults.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
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
  modulePathIgnorePatterns: ['<rootDir>/.cache', '<rootDir>/.presswork'],
  // What hangs, and not what is slow: machines differ.
  testTimeout: 180_000,
  maxWorkers: 2,
};
