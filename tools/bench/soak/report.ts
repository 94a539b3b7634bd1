import { table } from '../open-loop/report.ts';
import { piecesOf, soakedSeconds } from './samples.ts';
import type { Memory, Sample } from './samples.ts';
import { memorySlope, tableGrowth } from './slopes.ts';
import type { Slope } from './slopes.ts';

/** The live heap may grow by so many MB an hour. */
const ALLOWED = 1;
/** Slopes of less time than this decide nothing. */
const DECIDES_AFTER_S = 2 * 3_600;
/** Tables that grow less are left out of the report: MB an hour. */
const WORTH_SHOWING = 0.01;

export interface Verdict {
  readonly text: string;
  /** False if a request failed, or what is alive grows beyond doubt. */
  readonly good: boolean;
}

/** The report on all pieces, as text for docs/capacity.md. */
export function report(samples: readonly Sample[], warmUpSeconds: number): Verdict {
  const hours = soakedSeconds(samples) / 3_600;
  const pieces = piecesOf(samples);
  const [requests, errors] = [
    samples.reduce((sum, sample) => sum + sample.requests, 0),
    samples.reduce((sum, sample) => sum + sample.errors, 0),
  ];
  const p99 = samples.map((sample) => sample.p99).toSorted((left, right) => left - right);
  const processes = [...new Set(samples.flatMap(({ memory }) => Object.keys(memory)))];
  const slopes = processes.map((process) => ({
    process,
    resident: memorySlope(samples, process, 'resident', warmUpSeconds),
    alive: memorySlope(samples, process, 'alive', warmUpSeconds),
  }));
  const range = (process: string, kind: keyof Memory): string => {
    const values = samples.flatMap(({ memory }) => memory[process]?.[kind] ?? []);
    return values.length === 0
      ? ''
      : `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
  };
  const memory = slopes.map(({ process, resident, alive }) => [
    process,
    range(process, 'resident'),
    shown(resident),
    range(process, 'alive'),
    shown(alive),
  ]);
  const grown = tableGrowth(samples)
    .filter(({ perHour }) => perHour > WORTH_SHOWING)
    .map(({ table: name, first, last, rows, perHour, perHourLater }) => [
      name,
      first.toFixed(1),
      last.toFixed(1),
      String(rows),
      perHour.toFixed(2),
      perHourLater.toFixed(2),
    ]);
  const growing = slopes.filter(({ alive }) => alive.perHour - 2 * alive.error > ALLOWED);
  const decided = hours * 3_600 >= DECIDES_AFTER_S;
  return {
    good: errors === 0 && !(decided && growing.length > 0),
    text: [
      `${hours.toFixed(2)} h in ${pieces.length} pieces from ${pieces[0]?.[0]?.piece ?? 'never'}: ${requests} requests, ${errors} errors, ` +
        `p99 of reads ${(p99[p99.length >> 1] ?? 0).toFixed(0)} ms in the median minute`,
      '',
      table([['MB', 'RSS', 'an hour', 'alive', 'an hour'], ...memory]),
      '',
      table([['table, MB', 'first', 'last', 'rows', 'an hour', '2nd half'], ...grown]),
      '',
      ...slopes.map(({ process, alive }) =>
        decided
          ? `${process}: what is alive ${growing.some((each) => each.process === process) ? 'GROWS' : 'is flat'}, ${shown(alive)} MB an hour`
          : `${process}: two hours are needed to say whether what is alive grows`,
      ),
    ].join('\n'),
  };
}

const shown = ({ perHour, error }: Slope): string =>
  Number.isFinite(error) ? `${perHour.toFixed(1)} ± ${(2 * error).toFixed(1)}` : '';
