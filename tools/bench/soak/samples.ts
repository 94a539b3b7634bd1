import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Memory of a process, in MB: its resident memory, and its live heap after a collection. */
export interface Memory {
  readonly resident: number;
  readonly alive: number;
}

/** A table with its indexes. */
export interface TableSize {
  readonly megabytes: number;
  readonly rows: number;
}

/** A line of the file, about once a minute. Processes start anew with each piece; tables go on. */
export interface Sample {
  /** When the piece began, by which it is known. */
  readonly piece: string;
  /** Since then. */
  readonly seconds: number;
  readonly memory: Readonly<Record<string, Memory>>;
  readonly tables: Readonly<Record<string, TableSize>>;
  /** Since the line before. */
  readonly requests: number;
  readonly errors: number;
  /** Of reads, in ms. */
  readonly p99: number;
}

export const appendSample = (file: string, sample: Sample): void =>
  appendFileSync(file, `${JSON.stringify(sample)}\n`);

/** Reads the records of earlier pieces. A last line that a crash has cut off is left out. */
export function readSamples(file: string): readonly Sample[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Sample];
      } catch {
        return [];
      }
    });
}

/** The samples of each piece, in their order. */
export const piecesOf = (samples: readonly Sample[]): readonly (readonly Sample[])[] => [
  ...Map.groupBy(samples, ({ piece }) => piece).values(),
];

/** How long all pieces ran together. */
export const soakedSeconds = (samples: readonly Sample[]): number =>
  piecesOf(samples).reduce((sum, piece) => sum + (piece.at(-1)?.seconds ?? 0), 0);
