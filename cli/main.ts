import { Interrupted } from '../packages/command/interruption.ts';
import { run } from './run.ts';

// A reader that has gone, such as head, is no reason to leave the work undone.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(listener) {
    process.once('SIGINT', () => listener(new Interrupted(130)));
    process.once('SIGTERM', () => listener(new Interrupted(143)));
  },
});
