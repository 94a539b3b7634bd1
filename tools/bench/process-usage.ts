import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 100;
/** The unit of Linux's processor times: USER_HZ is 100 everywhere. */
const TICK_MS = 10;

/** The resident memory of a process in MB; null on systems other than Linux. */
export function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / 1_000_000;
  } catch {
    return null;
  }
}

/** The processor time of a process in ms; null on systems other than Linux. */
function processorMs(pid: number): number | null {
  const stat = statOf(pid);
  return stat === null ? null : stat.ticks * TICK_MS;
}

/**
 * The processor time of a process and its children, including ended ones, in ms; null on systems other than Linux.
 * PostgreSQL has a process per connection.
 */
export function treeProcessorMs(pid: number): number | null {
  const own = statOf(pid);
  if (own === null) return null;
  const children = readdirSync('/proc')
    .map((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : null))
    .filter((stat) => stat?.parent === pid);
  return (
    children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks + own.ticksOfEndedChildren) * TICK_MS
  );
}

function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1], ticks: user + system, ticksOfEndedChildren: endedUser + endedSystem };
  } catch {
    return null;
  }
}

/** The resources that a process used during some work. */
export interface Usage {
  /** Peak memory of the samples. */
  readonly megabytes: number | null;
  readonly processorMs: number | null;
}

/** Watches a process while `work` runs. */
export async function watch<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
  const before = processorMs(pid);
  let megabytes = residentMegabytes(pid);
  const look = (): void => {
    const seen = residentMegabytes(pid);
    if (seen !== null) megabytes = Math.max(megabytes ?? 0, seen);
  };
  const timer = setInterval(look, SAMPLE_MS);
  try {
    const result = await work();
    look();
    const after = processorMs(pid);
    const used = before === null || after === null ? null : after - before;
    return { result, usage: { megabytes, processorMs: used } };
  } finally {
    clearInterval(timer);
  }
}
