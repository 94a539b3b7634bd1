import type { JobTable } from './processes.ts';

/** Runs jobs one after another for the parent process (processes.ts), and ends with it. */
export function answerJobs(jobs: JobTable): void {
  async function answer(name: string, input: never): Promise<void> {
    try {
      process.send?.({ value: await jobs[name]?.(input) });
    } catch (error) {
      // No message or stack: they may quote the input.
      process.send?.({ failed: error instanceof Error ? error.name : 'Error' });
    }
  }
  process.on('disconnect', () => process.exit());
  process.on('message', ({ name, input }: { name: string; input: never }) => void answer(name, input));
  process.send?.('ready');
}
