import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Rows } from '../../db/transaction.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { editOf, follow } from './follow.ts';
import type { Anchor } from './follow.ts';

/** Where notes are after an edit of their article, by their ids; null if nobody has looked whether there are any. */
export type Moves = ReadonlyMap<string, Anchor> | null;

const placedRow = z.object({
  id: z.string(),
  quote: z.string(),
  start: z.number().nullable(),
  near: z.number(),
});

/** The revision whose content an article has; 0 once it is not kept any more. */
export const contentNumber = (articleId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select coalesce(max(number), 0) from article_revisions where article_id = ${articleId} and 'content' = any(changed))`;

/**
 * Where the notes of an article are after a change of its content. Read after the article, whose lock keeps others from
 * moving them. An optimistic write, which nearly always is of an article without any, does not look: `unlessNoted`.
 */
export async function movesOf(rows: Rows, current: Article, sent: ArticleChanges): Promise<Moves> {
  const moves = new Map<string, Anchor>();
  if (sent.content === undefined || sent.content === current.content) return moves;
  if (!rows.locks) return null;
  const placed = await rows.any(sql.type(placedRow)`
    select id, quote, start, near from notes where article_id = ${current.id} and quote is not null`);
  if (placed.length === 0) return moves;
  const edit = editOf(current.content ?? '', sent.content ?? '');
  for (const note of placed) {
    moves.set(note.id, follow(note, edit));
    // Each may search the text. Other requests come in between.
    await setImmediate();
  }
  return moves;
}

/** The condition of a change of the article `a` for which nobody has looked for notes: that it has none to be moved. */
export const unlessNoted = (moves: Moves): FragmentSqlToken => sql.fragment`
  (${moves !== null}::boolean or not exists (select from notes n where n.article_id = a.id and n.quote is not null))`;

/** Stores where notes are, together with the change of the article. @param article as it is then */
export function storeMoves(tx: Effects, article: Article, moves: Moves): void {
  if (moves === null || moves.size === 0) return;
  const anchors = [...moves.values()];
  tx.add(
    (when) => sql.fragment`
      update notes n set start = m.start, near = m.near, content_number = ${article.version}::int
      from unnest(
        ${array([...moves.keys()], 'uuid')},
        ${sql.array(
          anchors.map(({ start }) => start),
          'int4',
        )},
        ${sql.array(
          anchors.map(({ near }) => near),
          'int4',
        )}
      ) as m (id, start, near)
      where n.id = m.id and ${when}`,
  );
}
