import { mkdirSync, readdirSync } from 'node:fs';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/** Has Temporal's SDK download a program of its own into a folder; a process of its own, so that it can be ended. */
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
