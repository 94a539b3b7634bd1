import { summarize } from './load.ts';
import type { Measurement, Sample } from './load.ts';
import type { Usage } from './process-usage.ts';
import { scenarios } from './scenarios.ts';

export interface Line extends Measurement {
  readonly name: string;
  readonly title: string;
  /** Peak resident memory of the server during the measurement. */
  readonly megabytes: number | null;
  /** Processor time of the server per request, in µs: it varies less than wall-clock time. */
  readonly processorUs: number | null;
}

/** The results of one scenario in all rounds. */
export class Collected {
  readonly #samples: Sample[] = [];
  readonly #usages: Usage[] = [];

  add(sample: Sample, usage: Usage): void {
    this.#samples.push(sample);
    this.#usages.push(usage);
  }

  line(name: string): Line {
    const measured = summarize(this.#samples);
    const of = (value: (usage: Usage) => number | null): readonly number[] =>
      this.#usages.map(value).filter((each) => each !== null);
    const [sizes, times] = [of(({ megabytes }) => megabytes), of(({ processorMs }) => processorMs)];
    const processorMs = times.reduce((sum, each) => sum + each, 0);
    return {
      name,
      title: scenarios[name]?.title ?? name,
      ...measured,
      megabytes: sizes.length === 0 ? null : Math.max(...sizes),
      processorUs: times.length === 0 ? null : (processorMs * 1000) / Math.max(1, measured.answered),
    };
  }
}

export interface Report {
  readonly lines: readonly Line[];
  /** The API's memory before the first request, and its peak under any load. */
  readonly idleMegabytes: number | null;
  readonly peakMegabytes: number | null;
  /** Requests per second relative to the single prepared read, by scenario. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The deep page relative to the first one. */
  readonly deepToFirst: number | null;
}

export function createReport(
  lines: readonly Line[],
  api: { readonly idleMegabytes: number | null; readonly peakMegabytes: number | null },
): Report {
  const speed = new Map(lines.map(({ name, perSecond }) => [name, perSecond]));
  const [row, list, deep] = [speed.get('row'), speed.get('list'), speed.get('deep')];
  const ratios = row ? Object.fromEntries([...speed].map(([name, value]) => [name, value / row])) : {};
  return { lines, ...api, ratios, deepToFirst: list && deep ? deep / list : null };
}

/** The report as a text table. */
export function formatReport({ lines, ratios, deepToFirst, idleMegabytes, peakMegabytes }: Report): string {
  const header = ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'of one read', 'CPU µs', 'RSS MB'];
  const rows = lines.map((line) => [
    line.title,
    Math.round(line.perSecond).toString(),
    line.p50.toFixed(2),
    line.p99.toFixed(2),
    line.errors.toString(),
    percent(ratios[line.name] ?? null),
    whole(line.processorUs),
    whole(line.megabytes),
  ]);
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => (cells[column] ?? '').length)),
  );
  const format = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [
    ...[header, ...rows].map(format),
    '',
    `deep page against the first: ${percent(deepToFirst)}`,
    `memory of the API: ${whole(idleMegabytes)} MB idle, ${whole(peakMegabytes)} MB at most under load`,
  ].join('\n');
}

const percent = (ratio: number | null): string => (ratio === null ? '–' : `${Math.round(ratio * 100)} %`);

const whole = (value: number | null): string => (value === null ? '–' : Math.round(value).toString());
