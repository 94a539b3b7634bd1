import type { ListedArticle } from '../../domain/articles/list.ts';

/** A row of the list with the members that were asked for, times in ISO 8601. */
export function presentListed(row: ListedArticle, names: Iterable<string>): object {
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    const value = row[name as keyof ListedArticle];
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown;
}
