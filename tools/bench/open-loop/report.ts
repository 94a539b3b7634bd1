import type { Paced } from './generator.ts';
import type { MemoryTrend, Trend } from './soak.ts';

/** A pace, with the load of the machine. */
export interface Attempt extends Paced {
  readonly apis: number;
  /** Whether it stayed within the limit, without an error. */
  readonly held: boolean;
  /** Processor time of each part during the measurement, as a share of one core. */
  readonly cores: Readonly<Record<string, number>>;
  /** Resident memory of all API processes, in MB. */
  readonly apiMegabytes: number | null;
}

/** An attempt as one line. */
export function formatAttempt({
  apis,
  rate,
  held,
  reads,
  writes,
  cores,
  apiMegabytes,
  overloaded,
  latenessP99,
}: Attempt): string {
  const shares = Object.entries(cores).map(([name, share]) => `${name} ${Math.round(share * 100)}`);
  const verdict = held ? 'held' : overloaded ? 'broken off' : 'not held';
  return (
    `${apis} API, ${rate}/s: ${verdict}; reads p50 ${ms(reads.p50)} p99 ${ms(reads.p99)} max ${ms(reads.max)} ms, ` +
    `writes p99 ${ms(writes.p99)} ms, ${reads.errors + writes.errors} errors; generator late by ${ms(latenessP99)} ms at p99; ` +
    `% of a core: ${shares.join(', ')}; API ${Math.round(apiMegabytes ?? 0)} MB`
  );
}

export function formatOperations({ operations, reads, writes }: Attempt): string {
  const header = ['', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'errors'];
  const lines = [
    ...operations.toSorted(
      (left, right) => left.kind.localeCompare(right.kind) || right.requests - left.requests,
    ),
    { name: 'all reads', ...reads },
    { name: 'all writes', ...writes },
  ];
  const rows = lines.map((line) => [
    line.name,
    String(line.requests),
    ms(line.p50),
    ms(line.p99),
    ms(line.max),
    String(line.errors),
  ]);
  return table([header, ...rows]);
}

/** Memory during a soak test. */
export function formatTrends(trends: readonly MemoryTrend[]): string {
  const header = [
    'MB',
    'RSS, first',
    'last',
    'an hour',
    '2nd half',
    'alive, first',
    'last',
    'an hour',
    '2nd half',
  ];
  const of = ({ first, last, perHour, perHourLater }: Trend): string[] =>
    [first, last, perHour, perHourLater].map((value) => value.toFixed(1));
  return table([
    header,
    ...trends.map(({ process, resident, alive }) => [process, ...of(resident), ...of(alive)]),
  ]);
}

const ms = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 10 ? 1 : 0);

/** Lines in columns; the first is left-aligned. */
export function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
