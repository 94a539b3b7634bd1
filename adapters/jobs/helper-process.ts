import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { processorTime } from './processor-time.ts';
import type { JobLimits } from './job.ts';

/** The job takes more processor time or memory than it may, on every machine; the message says which. */
export class JobTooLarge extends Error {
  override name = 'JobTooLarge';
}

/** The machine is too busy for the job, or killed its process. That says nothing about the job. */
export class JobUnfinished extends Error {
  override name = 'JobUnfinished';
}

/** Time limit for starting a process, on a busy machine. */
const START_MS = 30_000;
/** A process that is idle for this long ends. */
const IDLE_MS = 30_000;
/** Processor time limit, for a process that outlives a killed parent. */
const CPU_SECONDS = 300;
/**
 * Limit of writable memory in KiB, as in adapters/images/decode-in-subprocess.ts; Node reserves 640 MB of it unused.
 */
const DATA_KIBIBYTES = 1_400_000;

/** Makes the process the first to be killed if memory runs out; ignored if the system does not support it. */
const script = `ulimit -d ${DATA_KIBIBYTES}; ulimit -t ${CPU_SECONDS}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`;

type Answer = { readonly value: unknown } | { readonly failed: string };

type Limits = Omit<JobLimits, 'longestWaitMs'>;

export interface Helper {
  /** @throws JobTooLarge; JobUnfinished; the process is gone then */
  work(job: { readonly name: string; readonly input: unknown }, limits: Limits): Promise<Answer>;
  /** Total working time. */
  workedMs(): number;
  /**
   * @param gone called if the process ends before its next job
   * @param mayEnd whether it may end after being idle for long
   */
  rest(gone: () => void, mayEnd: () => boolean): void;
  end(): void;
}

/** Where compiled code is kept, and how glibc gives memory back (domain/media/README.md). */
const PASSED_ON = ['NODE_COMPILE_CACHE', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

const harmless = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.includes(name)));

/** @param name the job that it is ready for */
export async function startHelper(program: string, heapMb: number, name: string): Promise<Helper> {
  const child = spawn(
    '/bin/sh',
    ['-c', script, process.execPath, `--max-old-space-size=${heapMb}`, program, name],
    {
      env: harmless(process.env),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    },
  );
  // The child does not keep this process alive; a call that waits for its answer does.
  child.unref();
  child.channel?.unref();
  const end = (): void => void child.kill('SIGKILL');
  // A child that cannot be started or written to never answers.
  child.on('error', end);
  await heard(child, { deadlineMs: START_MS, processorMs: Infinity }).catch((error: Error) => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    throw hasEnded ? new Error(`A helper process did not start: ${error.message}`, { cause: error }) : error;
  });

  let gone = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  let worked = 0;
  child.once('exit', () => {
    clearInterval(timer);
    gone();
  });
  return {
    async work(job, limits) {
      gone = () => {};
      clearInterval(timer);
      const begun = performance.now();
      child.send(job, (error) => void (error && end()));
      const answer = await heard(child, limits).finally(() => (worked += performance.now() - begun));
      return answer as Answer;
    },
    workedMs: () => worked,
    rest(leave, mayEnd) {
      gone = leave;
      timer = setInterval(() => {
        if (!mayEnd()) return;
        clearInterval(timer);
        leave();
        end();
      }, IDLE_MS).unref();
    },
    end,
  };
}

/**
 * The next message of a child, which is killed if it takes too long.
 *
 * @throws JobTooLarge; JobUnfinished
 */
function heard(child: ChildProcess, { processorMs, deadlineMs }: Limits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + deadlineMs;
    const before = processorTime(child.pid);
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      child.off('message', tell).off('exit', leave);
    };
    const tell = (message: unknown): void => {
      stop();
      resolve(message);
    };
    const refuse = (error: Error): void => {
      stop();
      reject(error);
      child.kill('SIGKILL');
    };
    const leave = (_: number | null, signal: string | null): void =>
      refuse(
        signal !== null && OUT_OF_MEMORY.has(signal)
          ? new JobTooLarge('it takes more memory than it may')
          : new JobUnfinished(`its process ended by ${signal ?? 'itself'}`),
      );
    const look = (): void => {
      const leftMs = processorMs - (processorTime(child.pid) - before);
      const untilDeadline = deadline - performance.now();
      if (leftMs <= 0)
        refuse(new JobTooLarge(`it takes more than ${processorMs / 1_000} s of processor time`));
      else if (untilDeadline <= 0)
        refuse(
          new JobUnfinished(`it was not done within ${deadlineMs / 1_000} s, because the machine is busy`),
        );
      else timer = setTimeout(look, Math.max(LOOK_MS, Math.min(leftMs, untilDeadline)));
    };
    child.on('message', tell).on('exit', leave);
    look();
  });
}

/** How often a process is looked at whose time may be up at any moment. */
const LOOK_MS = 50;

/** How V8 and the allocators end a process that gets no more memory. Others, as the system when memory is short, kill it. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV']);
