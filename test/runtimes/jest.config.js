import { shared } from '../../jest.config.js';

/** The packed SDK on other runtimes, which npm run test:runtimes installs. */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/runtimes/*.test.ts'],
  verbose: true,
};
