import { shared } from '../../jest.config.js';

/** The scenarios of faults. Each starts a product of its own; two at once leave neither idle. */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/faults/*.test.ts'],
  testTimeout: 240_000,
  maxWorkers: 2,
  verbose: true,
};
