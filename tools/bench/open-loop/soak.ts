import type { ChildProcess } from 'node:child_process';
import { residentMegabytes } from '../process-usage.ts';

const RESIDENT_EVERY_MS = 5_000;
/** A collection stops the process for some ten milliseconds. */
const ALIVE_EVERY_MS = 60_000;
const PROBE_TIMEOUT_MS = 30_000;

/** A measure during a soak test, in MB. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  /** The slope of the regression line through all samples. */
  readonly perHour: number;
  /** The same for the second half, after the warm-up. */
  readonly perHourLater: number;
}

/** The memory of a process during a soak test. */
export interface MemoryTrend {
  readonly process: string;
  readonly resident: Trend;
  /** Live bytes of the heap after a garbage collection. */
  readonly alive: Trend;
}

interface Watched {
  readonly name: string;
  readonly pid: number;
  readonly child: ChildProcess;
}

export async function watchMemory<T>(
  processes: readonly Watched[],
  work: () => Promise<T>,
): Promise<{ result: T; trends: readonly MemoryTrend[] }> {
  const begun = Date.now();
  const watched = processes.map(({ name, pid, child }) => {
    const [resident, alive]: [Sample[], Sample[]] = [[], []];
    const note = (samples: Sample[], value: number): void =>
      void samples.push({ at: (Date.now() - begun) / 3_600_000, value });
    return {
      look: () => note(resident, residentMegabytes(pid) ?? 0),
      probe: async () => note(alive, await aliveMegabytes(child)),
      trend: (): MemoryTrend => ({ process: name, resident: trendOf(resident), alive: trendOf(alive) }),
    };
  });
  const probeAll = async (): Promise<void> => {
    for (const { look, probe } of watched) {
      look();
      await probe();
    }
  };
  await probeAll();
  const timers = [
    setInterval(() => watched.forEach(({ look }) => look()), RESIDENT_EVERY_MS),
    setInterval(() => void probeAll().catch(() => {}), ALIVE_EVERY_MS),
  ];
  try {
    const result = await work();
    await probeAll();
    return { result, trends: watched.map(({ trend }) => trend()) };
  } finally {
    for (const timer of timers) clearInterval(timer);
  }
}

const trendOf = (samples: readonly Sample[]): Trend => ({
  first: samples[0]?.value ?? 0,
  last: samples.at(-1)?.value ?? 0,
  perHour: slope(samples),
  perHourLater: slope(samples.slice(samples.length >> 1)),
});

interface Sample {
  readonly at: number;
  readonly value: number;
}

/** The slope of the regression line (least squares); 0 for fewer than two samples. */
export function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  if (!(spread > 0)) return 0;
  return samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.value - value), 0) / spread;
}

/** The live heap of a process, after a collection (memory-probe.ts). */
function aliveMegabytes(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('A process did not report its memory')),
      PROBE_TIMEOUT_MS,
    );
    child.once('message', (usage: NodeJS.MemoryUsage) => {
      clearTimeout(timer);
      resolve((usage.heapUsed + usage.external) / 1_000_000);
    });
    child.send({});
  });
}
