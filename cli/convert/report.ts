import type { Writable } from 'node:stream';

/** What is worth knowing of one entry: what was changed or left out, and why. */
export interface EntryReport {
  note(message: string): void;
  /** The entry is not in the file, though it should be. */
  refuse(message: string): void;
}

/** Says on a stream what became of each entry, and counts. */
export class Report {
  /** Entries that should be in the file, and are not. */
  refused = 0;
  readonly #out: Writable;
  readonly #left = new Map<string, number>();
  #warnings = 0;

  constructor(out: Writable) {
    this.#out = out;
  }

  /** Of the whole export. */
  note(message: string): void {
    this.#warnings += 1;
    this.#out.write(`warning: ${printable(message)}\n`);
  }

  /** @param kind `post`, `page` @param name its title, as far as it has one */
  entry(kind: string, name: string): EntryReport {
    const label = `${kind} ${JSON.stringify(name.slice(0, 100))}`;
    return {
      note: (message) => this.note(`${label}: ${message}`),
      refuse: (message) => {
        this.refused += 1;
        this.note(`${label}: left out: ${message}`);
      },
    };
  }

  /** Something that an import file has no place for. */
  leftOut(kind: string, count = 1): void {
    if (count > 0) this.#left.set(kind, (this.#left.get(kind) ?? 0) + count);
  }

  /** The last lines: what is in the file, and what is not. */
  finish(converted: string): void {
    this.#out.write(`${converted}\n`);
    if (this.#left.size > 0) {
      const kinds = [...this.#left].map(([kind, count]) => `${count} × ${kind}`);
      this.#out.write(`Not carried over: ${printable(kinds.join(', '))}\n`);
    }
    if (this.refused > 0) this.#out.write(`Left out though they should be there: ${this.refused}\n`);
    if (this.#warnings > 0) this.#out.write(`Warnings: ${this.#warnings}\n`);
  }
}

/** A title may hold anything; what steers a terminal is not shown. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
