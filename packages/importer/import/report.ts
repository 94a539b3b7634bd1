import type { Reason } from './entry.ts';
import type { FileArticle } from './file.ts';
import type { ImageReport } from './images.ts';
import type { RefusedEntry } from './plan.ts';

/** The result of an import, or of a dry run (docs/spec/rulings.md, 13). */
export interface ImportReport {
  readonly created: number;
  readonly completed: number;
  readonly unchanged: number;
  readonly refused: readonly {
    readonly index: number;
    readonly external_id: string | null;
    readonly title: string | null;
    readonly reasons: readonly Reason[];
  }[];
  readonly images: ImageReport;
}

/** Counts the results of the entries. */
export class Tally {
  #created = 0;
  #completed = 0;
  readonly #unchanged: number;
  readonly #refused: RefusedEntry[];

  constructor(unchanged: number, refused: readonly RefusedEntry[]) {
    this.#unchanged = unchanged;
    this.#refused = [...refused];
  }

  accept(existed: boolean): void {
    if (existed) this.#completed += 1;
    else this.#created += 1;
  }

  refuse(article: FileArticle, reasons: readonly Reason[]): void {
    this.#refused.push({ article, reasons });
  }

  report(images: ImageReport): ImportReport {
    return {
      created: this.#created,
      completed: this.#completed,
      unchanged: this.#unchanged,
      refused: this.#refused
        .toSorted((left, right) => left.article.index - right.article.index)
        .map(({ article: { index, externalId, title }, reasons }) => ({
          index,
          external_id: externalId,
          title,
          reasons,
        })),
      images,
    };
  }
}

/** The mistakes of an entry, one line each, for people. */
export const linesOf = ({ index }: FileArticle, reasons: readonly Reason[]): string[] =>
  reasons.map(({ field, message }) => `articles[${index}]${field === '' ? '' : `.${field}`}: ${message}`);

export function summaryOf(report: ImportReport, dryRun: boolean): string {
  const { created, completed, unchanged, refused, images } = report;
  const articles = `${created} created, ${completed} completed, ${unchanged} unchanged, ${refused.length} refused`;
  const copies = `${images.copied} copied, ${images.reused} reused, ${images.failed.length} failed`;
  return `${dryRun ? 'Dry run, nothing was written. ' : ''}Articles: ${articles}. Images: ${copies}.`;
}
