import { isDeepStrictEqual } from 'node:util';
import type { Article, ArticleChanges } from '../articles/row.ts';

type Field = keyof ArticleChanges;

/** The fields of a stage's result that are written, and the names of those that are not. */
export interface KeptEdits {
  readonly changes: ArticleChanges;
  readonly leftOut: readonly Field[];
}

/**
 * Decides for each field whether a stage's result is written. A field that was changed since the stage read the article
 * is kept, even if it was emptied; all others get the stage's value. If both values are equal, the field does not count
 * as left out.
 *
 * @param asRead the article as the stage read it
 * @param asIs the article as it is now, locked
 * @param result the values of the stage
 */
export function keepEdits(asRead: Article, asIs: Article, result: ArticleChanges): KeptEdits {
  const entries = Object.entries(result) as [Field, ArticleChanges[Field]][];
  const edited = new Set(
    entries.map(([field]) => field).filter((field) => !isDeepStrictEqual(asRead[field], asIs[field])),
  );
  return {
    changes: Object.fromEntries(entries.filter(([field]) => !edited.has(field))),
    leftOut: entries
      .filter(([field, value]) => edited.has(field) && !isDeepStrictEqual(value, asIs[field]))
      .map(([field]) => field),
  };
}
