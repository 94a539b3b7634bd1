import { readFileSync } from 'node:fs';

const SAMPLE_MS = 100;

/** The resident memory of a process in MB, or null where the system does not tell (other than Linux). */
export function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / 1_000_000;
  } catch {
    return null;
  }
}

/** Watches a process while `work` runs. @returns its result and the most memory that was seen, in MB */
export async function watchMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; megabytes: number | null }> {
  let megabytes = residentMegabytes(pid);
  const look = (): void => {
    const seen = residentMegabytes(pid);
    if (seen !== null) megabytes = Math.max(megabytes ?? 0, seen);
  };
  const timer = setInterval(look, SAMPLE_MS);
  try {
    const result = await work();
    look();
    return { result, megabytes };
  } finally {
    clearInterval(timer);
  }
}
