import { shared } from '../../jest.config.js';

/** Pushes to real systems, which npm run test:systems installs. */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/systems/*.test.ts'],
  verbose: true,
};
