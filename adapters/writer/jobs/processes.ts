import { createProcesses } from '../../jobs/processes.ts';
import type { Processes, ProcessOptions } from '../../jobs/processes.ts';
import type { Jobs } from './jobs.ts';

export { JobTooLarge, JobUnfinished } from '../../jobs/processes.ts';

/** The helper processes of the writer. */
export type JobProcesses = Processes<Jobs>;

const defaults = { processes: 2, processorMs: 10_000, deadlineMs: 60_000, longestWaitMs: 60_000 };

export const createJobProcesses = (
  options: Partial<Pick<ProcessOptions, 'processes' | 'processorMs' | 'deadlineMs'>> = {},
): JobProcesses =>
  createProcesses<Jobs>({ program: new URL('main.ts', import.meta.url), ...defaults, ...options });
