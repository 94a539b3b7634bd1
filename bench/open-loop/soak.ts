import type { ChildProcess } from 'node:child_process';
import { residentMegabytes } from '../process-usage.ts';

/** How often memory is looked at. */
const SAMPLE_MS = 5_000;
const PROBE_TIMEOUT_MS = 30_000;

/** What a process did with its memory over a soak, in MB. */
export interface MemoryTrend {
  readonly process: string;
  readonly residentAtFirst: number;
  readonly residentAtLast: number;
  /** The line through all samples, per hour. */
  readonly residentPerHour: number;
  /** What was alive in the heap after a collection, at the begin and at the end. */
  readonly aliveAtFirst: number;
  readonly aliveAtLast: number;
  readonly alivePerHour: number;
}

export interface Watched {
  readonly name: string;
  readonly pid: number;
  readonly child: ChildProcess;
}

/** Watches the memory of processes while `work` runs. */
export async function watchMemory<T>(
  processes: readonly Watched[],
  work: () => Promise<T>,
): Promise<{ result: T; trends: readonly MemoryTrend[] }> {
  const aliveAtFirst = await Promise.all(processes.map(({ child }) => aliveMegabytes(child)));
  const begun = Date.now();
  const samples = processes.map((): Sample[] => []);
  const look = (): void =>
    processes.forEach(({ pid }, index) =>
      samples[index]?.push({ at: (Date.now() - begun) / 3_600_000, value: residentMegabytes(pid) ?? 0 }),
    );
  look();
  const timer = setInterval(look, SAMPLE_MS);
  try {
    const result = await work();
    look();
    const hours = (Date.now() - begun) / 3_600_000;
    const aliveAtLast = await Promise.all(processes.map(({ child }) => aliveMegabytes(child)));
    const trends = processes.map(({ name }, index): MemoryTrend => {
      const [seen, first, last] = [samples[index] ?? [], aliveAtFirst[index] ?? 0, aliveAtLast[index] ?? 0];
      return {
        process: name,
        residentAtFirst: seen[0]?.value ?? 0,
        residentAtLast: seen.at(-1)?.value ?? 0,
        residentPerHour: slope(seen),
        aliveAtFirst: first,
        aliveAtLast: last,
        alivePerHour: (last - first) / hours,
      };
    });
    return { result, trends };
  } finally {
    clearInterval(timer);
  }
}

export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** The slope of the line that fits best (least squares); 0 of less than two samples. */
export function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  if (!(spread > 0)) return 0;
  return samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.value - value), 0) / spread;
}

/** @see memory-probe.ts */
function aliveMegabytes(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('A process did not say what is alive')),
      PROBE_TIMEOUT_MS,
    );
    child.once('message', (usage: NodeJS.MemoryUsage) => {
      clearTimeout(timer);
      resolve((usage.heapUsed + usage.external) / 1_000_000);
    });
    child.send({});
  });
}
