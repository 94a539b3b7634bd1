import { TestEnvironment } from 'jest-environment-node';
import { undeclared } from './declared-answers.ts';

/**
 * Gives each test file `undeclared`, which checks answers (test/support/api.ts). Jest loads the modules of a test file
 * again for each file, but this one once for each worker, so each schema is compiled once (docs/decisions/0094).
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.undeclared = undeclared;
  }
}
