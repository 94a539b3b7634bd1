import { tenantOf } from '../../domain/organisations/tenant.ts';
import { FairSemaphore } from '../../runtime/fair-semaphore.ts';
import { startHelper } from './helper-process.ts';
import type { Helper } from './helper-process.ts';
import type { JobLimits } from './job.ts';

/** Processes of a class. */
const AT_ONCE = 2;
/** After this much work a process is replaced. */
const WORK_MS = 100_000;

/** The helper processes of a class of service. */
export interface Processes {
  run(siteId: string, job: Job, limits: JobLimits, signal: AbortSignal | undefined): Promise<unknown>;
  close(): void;
}

interface Job {
  readonly name: string;
  readonly input: unknown;
}

/**
 * @param program its first argument is the job for which it makes itself ready
 * @param keepReady the job for which an idle process is kept
 */
export function createProcesses(program: string, heapMb: number, keepReady: string | undefined): Processes {
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
    const helper = await startHelper(program, heapMb, keepReady).catch(() => null);
    replacing = false;
    if (closed) helper?.end();
    else if (helper !== null) rest(helper);
  }

  async function perform(job: Job, limits: JobLimits): Promise<unknown> {
    const [first] = idle;
    if (first) idle.delete(first);
    const helper = first ?? (await startHelper(program, heapMb, job.name));
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
