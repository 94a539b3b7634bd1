import { tenantOf } from '../../domain/organisations/tenant.ts';
import { FairSemaphore } from '../../runtime/fair-semaphore.ts';
import { startHelper } from './helper-process.ts';
import type { Helper } from './helper-process.ts';
import { classes, jobs } from './table.ts';
import type { JobInput, JobLimits, JobName, JobResult } from './table.ts';

export { JobTooLarge, JobUnfinished } from './helper-process.ts';

/**
 * Runs a job in a helper process.
 *
 * @param siteId the Site of the text: its organisation never holds all processes
 * @throws JobTooLarge; JobUnfinished; NoPermit if too many jobs wait; the signal's reason if it is aborted first
 */
export type RunJob<Names extends JobName = JobName> = <Name extends Names>(
  siteId: string,
  name: Name,
  input: JobInput<Name>,
  signal?: AbortSignal,
) => Promise<JobResult<Name>>;

export interface JobProcesses {
  readonly run: RunJob;
  close(): void;
}

export interface JobProcessesOptions extends Partial<JobLimits> {
  /**
   * A job for which an idle process is kept that has loaded it, and a killed one replaced at once, so that none of its
   * class waits for a start.
   */
  readonly keepReady?: JobName;
}

/** Processes of a class. */
const AT_ONCE = 2;
/** After this much work a process is replaced. */
const WORK_MS = 100_000;

/**
 * The helper processes of an API or a worker, for jobs that parse untrusted text. A text that takes too long or too much
 * memory only costs its own job and process. Helpers start on demand, have no secrets, and end when idle or with their
 * parent.
 */
export function createJobProcesses({ keepReady, ...limits }: JobProcessesOptions = {}): JobProcesses {
  const kept = keepReady === undefined ? undefined : jobs[keepReady].of;
  const own = {
    prompt: createClass(classes.prompt.heapMb, kept === 'prompt' ? keepReady : undefined),
    batch: createClass(classes.batch.heapMb, kept === 'batch' ? keepReady : undefined),
  };
  return {
    run: (siteId, name, input, signal) =>
      own[jobs[name].of].run(siteId, { name, input }, { ...jobs[name], ...limits }, signal) as Promise<never>,
    close() {
      for (const each of Object.values(own)) each.close();
    },
  };
}

interface ClassOfService {
  run(siteId: string, job: Job, limits: JobLimits, signal: AbortSignal | undefined): Promise<unknown>;
  close(): void;
}

interface Job {
  readonly name: JobName;
  readonly input: unknown;
}

function createClass(heapMb: number, keepReady: JobName | undefined): ClassOfService {
  const turns = new FairSemaphore({
    permits: AT_ONCE,
    tenantPermits: AT_ONCE - 1,
    waiting: 1_000,
    tenantWaiting: 100,
    longestWaitMs: 0,
  });
  const idle = new Set<Helper>();
  let closed = false;
  let replacing = false;

  function rest(helper: Helper): void {
    idle.add(helper);
    helper.rest(
      () => idle.delete(helper),
      () => keepReady === undefined || idle.size > 1,
    );
  }

  /** A failed start is tried again by the next job. */
  async function replace(): Promise<void> {
    if (keepReady === undefined || closed || replacing || idle.size > 0) return;
    replacing = true;
    const helper = await startHelper(heapMb, keepReady).catch(() => null);
    replacing = false;
    if (closed) helper?.end();
    else if (helper !== null) rest(helper);
  }

  async function perform(job: Job, limits: JobLimits): Promise<unknown> {
    const [first] = idle;
    if (first) idle.delete(first);
    const helper = first ?? (await startHelper(heapMb, job.name));
    try {
      const answer = await helper.work(job, limits);
      if (closed || helper.workedMs() > WORK_MS) helper.end();
      else rest(helper);
      if ('failed' in answer) throw new Error(`${job.name} failed in a helper process: ${answer.failed}`);
      return answer.value;
    } finally {
      void replace();
    }
  }

  void replace();
  return {
    run: (siteId, job, limits, signal) =>
      turns.run(tenantOf(siteId), () => perform(job, limits), {
        signal,
        longestWaitMs: limits.longestWaitMs,
      }),
    close() {
      closed = true;
      for (const helper of idle) helper.end();
      idle.clear();
    },
  };
}
