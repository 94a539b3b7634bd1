import { mkdirSync, readdirSync } from 'node:fs';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * Makes Temporal's SDK download one of its programs into a folder. It is a separate process, so that it can be stopped.
 */
const [program, folder = '', version = 'default'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const executable = { type: 'cached-download', downloadDir: folder, version } as const;
const environment =
  program === 'temporal'
    ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
    : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
await environment.teardown();
console.log(readdirSync(folder)[0]);
process.exit(0);
