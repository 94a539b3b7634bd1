import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as it can be told apart from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** What the system says of its start; differs for every process. */
  readonly started: string;
}

/** When a process started, in the system's own terms, or null where there is none. */
export function startOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie holds nothing any more.
      return fields[0] === 'Z' ? null : (fields[19] ?? null);
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, started: startOf(pid) ?? '' });

/** Whether this very process still runs: not one that has its number by now. */
export const isRunning = ({ pid, started }: ProcessIdentity): boolean => startOf(pid) === started;

/** Waits until a condition holds. @returns whether it came to hold in time */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Ends processes: politely, then by force. */
export async function endProcesses(processes: readonly ProcessIdentity[], patienceMs: number): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    for (const identity of processes) {
      if (!isRunning(identity)) continue;
      try {
        process.kill(identity.pid, name);
      } catch {
        // It ended between the look and the signal.
      }
    }
  };
  signal('SIGTERM');
  if (await until(() => !processes.some(isRunning), patienceMs)) return;
  signal('SIGKILL');
  await until(() => !processes.some(isRunning), 2_000);
}
