import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Rows } from '../../db/transaction.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { editOf, follow, found, indexedText } from './follow.ts';
import type { Anchor } from './follow.ts';

/**
 * Where notes, and claims of the text, are after an edit of their article, by their ids; null if nobody has looked whether
 * there are any.
 */
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

/** Whether the content has changed and nobody has followed the quote. @param row of a table with places */
export const isLeftBehind = (row: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`${row}.content_number < ${contentNumber(sql.fragment`${row}.article_id`)}`;

/**
 * Where the notes and claims of an article are after a change of its content. Read after the article, whose lock keeps others from
 * moving them. An optimistic write, which nearly always is of an article without any, does not look: `unlessNoted`.
 */
export async function movesOf(rows: Rows, current: Article, sent: ArticleChanges): Promise<Moves> {
  const moves = new Map<string, Anchor>();
  if (sent.content === undefined || sent.content === current.content) return moves;
  if (!rows.locks) return null;
  const placed = await rows.any(sql.type(placedRow)`
    select id, quote, start, near from notes where article_id = ${current.id} and quote is not null
    union all select id, text, start, near from article_claims where article_id = ${current.id}`);
  if (placed.length === 0) return moves;
  const edit = editOf(current.content ?? '', sent.content ?? '');
  for (const note of placed) {
    moves.set(note.id, follow(note, edit));
    // Each may search the text. Other requests come in between.
    await setImmediate();
  }
  return moves;
}

/** The condition of a change of the article `a` for which nobody has looked for notes: that it has nothing to be moved. */
export const unlessNoted = (moves: Moves): FragmentSqlToken => sql.fragment`
  (${moves !== null}::boolean or not exists (select from notes n where n.article_id = a.id and n.quote is not null)
    and not exists (select from article_claims c where c.article_id = a.id))`;

/** Stores where notes and claims are, together with the change of the article. @param article as it is then */
export function storeMoves(tx: Effects, article: Article, moves: Moves): void {
  if (moves === null || moves.size === 0) return;
  const anchors = [...moves.values()];
  const integers = (values: readonly (number | null)[]) => sql.array([...values], 'int4');
  for (const table of ['notes', 'article_claims'])
    tx.add(
      (when) => sql.fragment`
        update ${sql.identifier([table])} n set start = m.start, near = m.near, content_number = ${article.version}::int
        from unnest(
          ${array([...moves.keys()], 'uuid')}, ${integers(anchors.map(({ start }) => start))},
          ${integers(anchors.map(({ near }) => near))}
        ) as m (id, start, near)
        where n.id = m.id and ${when}`,
    );
}

const contentRow = z.object({ content: z.string().nullable() });

/** A row with the place of a quote, if it has one. */
interface Placed {
  readonly quote: string | null;
  readonly start: number | null;
  readonly near: number | null;
  readonly left_behind: boolean;
}

/**
 * Places what a change of the content has left behind: what was made while the change was on its way. It is at the nearest
 * occurrence.
 */
export async function placed<Row extends Placed>(
  db: Queryable,
  articleId: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (!rows.some((row) => row.left_behind)) return rows;
  const article = await db.maybeOne(
    sql.type(contentRow)`select content from articles where id = ${articleId}`,
  );
  const text = indexedText(article?.content ?? '');
  return rows.map((row) =>
    row.left_behind && row.quote !== null
      ? { ...row, ...found(text, row.quote, row.start ?? row.near ?? 0) }
      : row,
  );
}

/** As the API returns it: in code points. */
export const presentPlace = ({ quote, start }: Pick<Placed, 'quote' | 'start'>) =>
  start === null || quote === null ? null : { start, end: start + Array.from(quote).length };
