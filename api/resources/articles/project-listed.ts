import type { ListedArticle } from '../../../domain/articles/list.ts';

/** The requested members of a row of the list, times in ISO 8601. */
export function projectListed(row: ListedArticle, names: Iterable<string>): object {
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    const value = row[name as keyof ListedArticle];
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown;
}
