import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Site } from '../kernel/site.ts';
import { people, person, personRow } from '../organisations/person.ts';
import { isLeftBehind, placed } from './anchors.ts';

const noteRow = z.object({
  id: z.string(),
  article_id: z.string(),
  parent_id: z.string().nullable(),
  body: z.string(),
  quote: z.string().nullable(),
  start: z.number().nullable(),
  near: z.number().nullable(),
  /** Whether the content has changed and nobody has followed the quote. */
  left_behind: z.boolean(),
  author_id: z.string(),
  author: personRow,
  mentions: z.array(personRow),
  resolved_by: personRow.nullable(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A remark of the team on an article (docs/spec/rulings.md, 23, Notes). */
export type Note = z.infer<typeof noteRow>;

const columns = sql.fragment`
  n.id, n.article_id, n.parent_id, n.body, n.quote, n.start, n.near,
  n.quote is not null and ${isLeftBehind(sql.fragment`n`)} as left_behind,
  n.author_id, ${person(sql.fragment`n.author_id`)} as author, ${people(sql.fragment`n.mention_ids`)} as mentions,
  ${person(sql.fragment`n.resolved_by`)} as resolved_by, n.version, n.created_at, n.updated_at`;

/** A page of the notes of an article, oldest first. @param resolved only those that are, or are not */
export function listNotes(
  db: Queryable,
  site: Site,
  articleId: string,
  request: PageRequest,
  resolved: boolean | undefined,
): Promise<Page<Note>> {
  const where: FragmentSqlToken =
    resolved === undefined ? sql.fragment`true` : sql.fragment`(n.resolved_by is not null) = ${resolved}`;
  const query = `notes ${articleId} ${resolved}`;
  return readPage(site, query, request, byId('n', 'asc'), async ({ after, order }, count) => {
    const notes = await db.any(sql.type(noteRow)`
      select ${columns} from notes n where n.article_id = ${articleId} and n.site_id = ${site.id} and ${where} and ${after}
      order by ${order} limit ${count}`);
    return placed(db, articleId, notes);
  });
}

/** A note of an article that the transaction has locked. @throws ServiceError NOT_FOUND */
export async function getNote(tx: Transaction, articleId: string, id: string): Promise<Note> {
  const note = await tx.maybeOne(sql.type(noteRow)`
    select ${columns} from notes n where n.id = ${id} and n.article_id = ${articleId}`);
  if (note === null) throw notFound('note');
  return (await placed(tx, articleId, [note]))[0] as Note;
}
