import { fileURLToPath } from 'node:url';
import { classes } from '../jobs/job.ts';
import type { InHelpers, Job, JobLimits } from '../jobs/job.ts';
import { createProcesses } from '../jobs/processes.ts';
import { jobs } from './table.ts';
import type { JobFunctions, JobName } from './table.ts';

export type JobProcesses = InHelpers<JobFunctions> & { close(): void };

export interface JobProcessesOptions extends Partial<JobLimits> {
  /**
   * A job for which an idle process is kept that has loaded it, and a killed one replaced at once, so that none of its
   * class waits for a start.
   */
  readonly keepReady?: JobName;
}

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/**
 * The helper processes of an API or a worker, for jobs that parse untrusted text. A text that takes too long or too much
 * memory only costs its own job and process. Helpers start on demand, have no secrets, and end when idle or with their
 * parent.
 */
export function createJobProcesses({ keepReady, ...limits }: JobProcessesOptions = {}): JobProcesses {
  const kept = keepReady === undefined ? undefined : jobs[keepReady].of;
  const own = {
    prompt: createProcesses(program, classes.prompt.heapMb, kept === 'prompt' ? keepReady : undefined),
    batch: createProcesses(program, classes.batch.heapMb, kept === 'batch' ? keepReady : undefined),
  };
  const functions = Object.entries<Job>(jobs).map(([name, job]) => {
    const run = (siteId: string, input: unknown, signal?: AbortSignal): Promise<unknown> =>
      own[job.of].run(siteId, { name, input }, { ...job, ...limits }, signal);
    return [name, run];
  });
  return {
    ...(Object.fromEntries(functions) as InHelpers<JobFunctions>),
    close() {
      for (const each of Object.values(own)) each.close();
    },
  };
}
