import { piecesOf } from './samples.ts';
import type { Memory, Sample } from './samples.ts';

interface Point {
  readonly hours: number;
  readonly value: number;
}

/** A line through points: how much it rises in an hour, and the standard error of that. */
export interface Slope {
  readonly perHour: number;
  readonly error: number;
}

/**
 * The slope that all groups have in common, each with a height of its own (least squares): a process that was started
 * again begins lower, which is no growth.
 */
export function commonSlope(groups: readonly (readonly Point[])[]): Slope {
  const centred = groups.flatMap((points) => {
    const mean = (of: (point: Point) => number): number =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length;
    const [hours, value] = [mean((point) => point.hours), mean((point) => point.value)];
    return points.map((point) => ({ hours: point.hours - hours, value: point.value - value }));
  });
  const spread = centred.reduce((sum, { hours }) => sum + hours ** 2, 0);
  const freedom = centred.length - groups.length - 1;
  if (!(spread > 0) || freedom < 1) return { perHour: 0, error: Infinity };
  const perHour = centred.reduce((sum, { hours, value }) => sum + hours * value, 0) / spread;
  const rest = centred.reduce((sum, { hours, value }) => sum + (value - perHour * hours) ** 2, 0);
  return { perHour, error: Math.sqrt(rest / freedom / spread) };
}

/** The memory of a process, without the time in which each piece warms up. */
export function memorySlope(
  samples: readonly Sample[],
  process: string,
  kind: keyof Memory,
  warmUpSeconds: number,
): Slope {
  const groups = piecesOf(samples).map((piece) =>
    piece.flatMap(({ seconds, memory }) => {
      const value = memory[process]?.[kind];
      return seconds < warmUpSeconds || value === undefined ? [] : [{ hours: seconds / 3_600, value }];
    }),
  );
  return commonSlope(groups.filter((points) => points.length > 0));
}

/** How a table grew over all pieces on end. */
export interface Growth {
  readonly table: string;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly perHour: number;
  /** Of the second half: bounded caches grow more slowly there. */
  readonly perHourLater: number;
}

/** The growth of every table, in MB, the fastest first. */
export function tableGrowth(samples: readonly Sample[]): readonly Growth[] {
  const points = new Map<string, (Point & { rows: number })[]>();
  let before = 0;
  for (const piece of piecesOf(samples)) {
    for (const { seconds, tables } of piece)
      for (const [table, { megabytes, rows }] of Object.entries(tables)) {
        const known = points.get(table) ?? [];
        points.set(table, known);
        known.push({ hours: (before + seconds) / 3_600, value: megabytes, rows });
      }
    before += piece.at(-1)?.seconds ?? 0;
  }
  return [...points]
    .map(([table, all]) => ({
      table,
      first: all[0]?.value ?? 0,
      last: all.at(-1)?.value ?? 0,
      rows: all.at(-1)?.rows ?? 0,
      perHour: commonSlope([all]).perHour,
      perHourLater: commonSlope([all.slice(all.length >> 1)]).perHour,
    }))
    .toSorted((left, right) => right.perHour - left.perHour);
}
