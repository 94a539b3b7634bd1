import type { Writable } from 'node:stream';

/** Reports the changed and omitted parts of one entry, and why. */
export interface EntryReport {
  note(message: string): void;
  /** Reports that readers see other words than before. */
  differs(message: string): void;
  /** Reports that the entry could not be converted, and is missing in the file. */
  refuse(message: string): void;
}

/** Writes warnings to a stream, and counts. */
export class Report {
  /** The number of entries that could not be converted. */
  refused = 0;
  /** The number of entries whose words are not those of the old site. */
  different = 0;
  readonly #out: Writable;
  readonly #left = new Map<string, number>();
  #warnings = 0;

  constructor(out: Writable) {
    this.#out = out;
  }

  /** Reports something about the whole export. */
  note(message: string): void {
    this.#warnings += 1;
    this.#out.write(`warning: ${printable(message)}\n`);
  }

  /** @param kind such as `post` @param name its title, if it has one */
  entry(kind: string, name: string): EntryReport {
    const label = `${kind} ${JSON.stringify(name.slice(0, 100))}`;
    return {
      note: (message) => this.note(`${label}: ${message}`),
      differs: (message) => {
        this.different += 1;
        this.note(`${label}: ${message}`);
      },
      refuse: (message) => {
        this.refused += 1;
        this.note(`${label}: left out: ${message}`);
      },
    };
  }

  /** Counts items that the import format does not support. */
  leftOut(kind: string, count = 1): void {
    if (count > 0) this.#left.set(kind, (this.#left.get(kind) ?? 0) + count);
  }

  /** Writes the summary. */
  finish(converted: string): void {
    this.#out.write(`${converted}\n`);
    if (this.#left.size > 0) {
      const kinds = [...this.#left].map(([kind, count]) => `${count} × ${kind}`);
      this.#out.write(`Not supported: ${printable(kinds.join(', '))}\n`);
    }
    if (this.refused > 0) this.#out.write(`Could not be converted: ${this.refused}\n`);
    if (this.different > 0) this.#out.write(`Not the same text as before: ${this.different}\n`);
    if (this.#warnings > 0) this.#out.write(`Warnings: ${this.#warnings}\n`);
  }
}

/** Removes control characters, which a title could use to manipulate the terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
