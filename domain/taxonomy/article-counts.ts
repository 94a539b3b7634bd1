import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';

/** What of an article its category, tags and author count. */
export interface Counted {
  readonly status: string;
  readonly category_id: string | null;
  readonly author_id: string | null;
  readonly tag_ids: readonly string[];
}

type AtCommit = Pick<Transaction, 'atCommit'>;
type Table = 'categories' | 'tags' | 'authors';

interface Delta {
  articles: number;
  published: number;
}

/**
 * Moves the counts that categories, tags and authors keep, from what an article was to what it is, so that
 * no list counts rows. Null stands for an article that does not exist.
 */
export function moveCounts(tx: AtCommit, before: Counted | null, after: Counted | null): void {
  moveIn(tx, 'categories', before, after, ({ category_id: id }) => (id === null ? [] : [id]));
  moveIn(tx, 'authors', before, after, ({ author_id: id }) => (id === null ? [] : [id]));
  moveIn(tx, 'tags', before, after, ({ tag_ids: ids }) => ids);
}

function moveIn(
  tx: AtCommit,
  table: Table,
  before: Counted | null,
  after: Counted | null,
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
  add(before, -1);
  add(after, 1);
  // In one order everywhere, so that two changes that touch the same rows do not wait for each other. A statement
  // for each row: one for all of them would be planned anew each time, which costs more than they do.
  const name = sql.identifier([table]);
  for (const [id, { articles, published }] of [...deltas].sort(byId)) {
    if (articles === 0 && published === 0) continue;
    const counting = statement`
      update ${name} set article_count = article_count + ${articles}, published_article_count = published_article_count + ${published}
      where id = ${id}`;
    tx.atCommit(counting, { waits: true });
  }
}

const byId = ([left]: [string, Delta], [right]: [string, Delta]): number => (left < right ? -1 : 1);
