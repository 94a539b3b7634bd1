import { jobs } from './table.ts';
import type { JobName } from './table.ts';

/** A helper process: does jobs one after another for the process that started it (processes.ts), and ends with it. */
const load = (name: JobName): Promise<(input: never) => unknown> => jobs[name].load();

async function answer(name: JobName, input: never): Promise<void> {
  try {
    const perform = await load(name);
    process.send?.({ value: await perform(input) });
  } catch (error) {
    // No message or stack: they may quote the input.
    process.send?.({ failed: error instanceof Error ? error.name : 'Error' });
  }
}

process.on('disconnect', () => process.exit());
process.on('message', ({ name, input }: { name: JobName; input: never }) => void answer(name, input));
for (const name of process.argv.slice(2)) await load(name as JobName);
process.send?.('ready');
