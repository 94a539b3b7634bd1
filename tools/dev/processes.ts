import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, distinguishable from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The system's start time of the process. */
  readonly started: string;
}

/** When a process started, in the system's units; null if there is no such process. */
export function startOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie holds no resources.
      if (fields[0] === 'Z') return null;
      // Clock ticks since boot; a reboot resets both pids and ticks.
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, started: startOf(pid) ?? '' });

/** Whether this very process still runs, and not another one with its pid. */
export const isRunning = ({ pid, started }: ProcessIdentity): boolean => startOf(pid) === started;

/** The command line of a running process as words; empty if it does not run. */
export function commandLineOf(pid: number): readonly string[] {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}

/** Waits until a condition holds. @returns false on time-out */
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

/** A process to stop, with the signal for a graceful shutdown. */
export type Ending = ProcessIdentity & { readonly stopSignal: NodeJS.Signals };

/** Stops processes: gracefully, then by SIGKILL. */
export async function endProcesses(processes: readonly Ending[], patienceMs: number): Promise<void> {
  const gone = (): boolean => !processes.some(isRunning);
  for (const ending of processes) signal(ending, ending.stopSignal);
  if (await until(gone, patienceMs)) return;
  for (const ending of processes) signal(ending, 'SIGKILL');
  await until(gone, 2_000);
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // It ended between the check and the signal.
  }
}
