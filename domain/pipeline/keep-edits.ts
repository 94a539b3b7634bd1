import { isDeepStrictEqual } from 'node:util';
import type { Article, ArticleChanges } from '../articles/article.ts';

type Field = keyof ArticleChanges;

/** What of a stage's result is written, and which of its fields are not. */
export interface KeptEdits {
  readonly changes: ArticleChanges;
  readonly leftOut: readonly Field[];
}

/**
 * Decides field by field what of a stage's result is written: a field that was changed since the stage read the
 * article stays as it is, also where it was emptied; every other gets what the stage wrote. Where both came to the
 * same, nothing is left out.
 *
 * @param asRead the article as the stage read it
 * @param asIs the article as it is now, locked
 * @param result what the stage would write
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
