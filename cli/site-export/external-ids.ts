import type { StoredArticle } from './progress-file.ts';

type Named = Pick<StoredArticle, 'id' | 'external_id' | 'created_at'>;

/**
 * An external id for each article, all different. Of several articles with the same one the oldest keeps it; the others,
 * and those without one, have their id (docs/spec/rulings.md, 15).
 *
 * @returns external ids by id
 */
export function externalIdsOf(articles: readonly Named[]): ReadonlyMap<string, string> {
  const keepers = new Map<string, string>();
  const replaced = new Set<string>();
  // An article whose external id is the id of another one may have to make way for that one.
  const replace = (id: string): void => {
    for (
      let next: string | undefined = id;
      next !== undefined && !replaced.has(next);
      next = keepers.get(next)
    ) {
      replaced.add(next);
    }
  };
  const without: string[] = [];
  for (const { id, external_id: externalId } of articles.toSorted(byAge)) {
    // An import refuses an empty one.
    if (!externalId || keepers.has(externalId)) without.push(id);
    else keepers.set(externalId, id);
  }
  without.forEach(replace);
  return new Map(
    articles.map(({ id, external_id: own }) => [id, own === null || replaced.has(id) ? id : own]),
  );
}

const byAge = (left: Named, right: Named): number =>
  compare(left.created_at, right.created_at) || compare(left.id, right.id);

/** By code units, so that the order is the same everywhere. */
export const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
