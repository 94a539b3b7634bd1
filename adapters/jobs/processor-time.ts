import { readFileSync } from 'node:fs';

/** Linux tells processor time in hundredths of a second, whatever its own clock is. */
const TICK_MS = 10;

/**
 * The processor time that a process has taken so far, in ms; 0 for one that has ended. Outside Linux, where it cannot be
 * read so easily, the clock counts instead. Only differences mean something.
 */
export function processorTime(pid: number | undefined): number {
  if (process.platform !== 'linux') return performance.now();
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain anything. After it, the times are the 12th and 13th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
