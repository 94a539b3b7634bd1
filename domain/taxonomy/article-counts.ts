import type { Effects } from '../../db/effects.ts';
import { sql } from '../../db/sql.ts';

/** The members of an article that decide in which counts it is included. */
export interface Counted {
  readonly status: string;
  readonly category_id: string | null;
  readonly author_id: string | null;
  readonly tag_ids: readonly string[];
}

type Table = 'categories' | 'tags' | 'authors';

interface Delta {
  articles: number;
  published: number;
}

/** An article before and after a change; null for an article that does not exist. */
interface Move {
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/**
 * Updates the counts of categories, tags and authors for a changed article, so that no list counts rows. Null stands
 * for an article that does not exist. Ids of another Site match no row, so that no lock is taken there before a foreign
 * key refuses them.
 */
export const moveCounts = (
  tx: Effects,
  siteId: string,
  before: Counted | null,
  after: Counted | null,
): void =>
  // Gathered, so that each row is locked once, and in the order that all changes have.
  tx.gather(`counts ${siteId}`, [{ before, after }], (effects, all: readonly Move[]) => {
    moveIn(effects, siteId, 'categories', all, ({ category_id: id }) => (id === null ? [] : [id]));
    moveIn(effects, siteId, 'authors', all, ({ author_id: id }) => (id === null ? [] : [id]));
    moveIn(effects, siteId, 'tags', all, ({ tag_ids: ids }) => ids);
  });

function moveIn(
  tx: Effects,
  siteId: string,
  table: Table,
  moves: readonly Move[],
  idsOf: (article: Counted) => readonly string[],
): void {
  const deltas = new Map<string, Delta>();
  const add = (article: Counted | null, sign: 1 | -1): void => {
    if (article === null) return;
    for (const id of idsOf(article)) {
      const delta = deltas.get(id) ?? { articles: 0, published: 0 };
      delta.articles += sign;
      if (article.status === 'published') delta.published += sign;
      deltas.set(id, delta);
    }
  };
  for (const { before, after } of moves) {
    add(before, -1);
    add(after, 1);
  }
  // The same order everywhere, so that two changes of the same rows never deadlock. One statement for each row: a
  // single statement for all would be planned each time, which costs more.
  const name = sql.identifier([table]);
  for (const [id, { articles, published }] of [...deltas].sort(byId)) {
    if (articles === 0 && published === 0) continue;
    tx.add(
      (when) => sql.fragment`
      update ${name} set article_count = article_count + ${articles}, published_article_count = published_article_count + ${published}
      where id = ${id} and site_id = ${siteId} and ${when}`,
    );
  }
}

const byId = ([left]: [string, Delta], [right]: [string, Delta]): number => (left < right ? -1 : 1);
