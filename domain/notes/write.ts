import { z } from 'zod';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Caller } from '../access/authenticate.ts';
import type { Article } from '../articles/row.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { ServiceError, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { notify } from '../notifications/notify.ts';
import { requireMembers } from '../organisations/known-members.ts';
import { contentNumber } from './anchors.ts';
import { indexedText, occurrences } from './follow.ts';
import type { Anchor } from './follow.ts';
import { getNote } from './note.ts';
import type { Note } from './note.ts';

/** Notes of an article: each is followed through every edit of its content. */
const NOTE_LIMIT = 200;

type Writer = Pick<Caller, 'memberId' | 'mayPublish'>;

export interface NewNote {
  readonly body: string;
  readonly quote?: string | undefined;
  /** Which of the occurrences, from 1. */
  readonly occurrence?: number | undefined;
  readonly parent_id?: string | null | undefined;
  readonly mention_ids?: readonly string[] | undefined;
}

const threadRow = z.object({ thread: z.string() });
const pendingRow = z.object({ content: z.string().nullable() });

/**
 * Writes a note. A reply to a reply joins the thread. Whoever is mentioned is told, and whoever else wrote in its thread.
 *
 * @param article locked by this transaction
 * @throws ServiceError VALIDATION_FAILED for a parent, a quote or members that are not there; CONFLICT for too many notes
 */
export async function writeNote(
  change: Change,
  { memberId }: Writer,
  article: Article,
  { body, quote, occurrence = 1, parent_id: parent = null, mention_ids: ids = [] }: NewNote,
): Promise<Note> {
  const { tx, site, now } = change;
  await requireRoom(tx, site.id, {
    limit: NOTE_LIMIT,
    existing: sql.fragment`select from notes where article_id = ${article.id}`,
    message: `This article has ${NOTE_LIMIT} notes, which is the limit. Delete those that are resolved: DELETE /articles/{id}/notes/{note_id}.`,
  });
  const mentions = await requireMembers(tx, site.organisationId, 'mention_ids', ids);
  const thread = parent === null ? null : await threadOf(tx, article.id, parent);
  const place = quote === undefined ? null : await placeOf(tx, article, quote, occurrence);
  const id = newId();
  await tx.exec(statement`
    insert into notes (id, site_id, article_id, parent_id, body, quote, start, near, content_number, author_id, mention_ids,
      created_at, updated_at)
    values (${id}, ${site.id}, ${article.id}, ${thread}, ${body}, ${quote ?? null}, ${place?.start ?? null},
      ${place?.near ?? null}, ${contentNumber(sql.fragment`${article.id}::uuid`)}, ${memberId}, ${array(mentions, 'uuid')},
      ${at(now)}, ${at(now)})`);
  record(change, 'note.create', article.id, id, {});
  tell(change, article, { id, thread, mentions });
  return getNote(tx, article.id, id);
}

function tell(
  { tx, site, actor, now }: Change,
  { id, title }: Article,
  note: { readonly id: string; readonly thread: string | null; readonly mentions: readonly string[] },
): void {
  const { thread, mentions } = note;
  const mentioned = array(mentions, 'uuid');
  const notice = { siteId: site.id, actor, target: { type: 'article', id }, named: { title: title ?? '' } };
  if (mentions.length > 0)
    notify(tx, { ...notice, kind: 'note.mentioned', to: sql.fragment`select unnest(${mentioned})` }, now);
  if (thread === null) return;
  const to = sql.fragment`
    select author_id from notes
    where (id = ${thread}::uuid or parent_id = ${thread}::uuid) and id <> ${note.id}::uuid and author_id <> all(${mentioned})`;
  notify(tx, { ...notice, kind: 'note.replied', to }, now);
}

async function threadOf(tx: Transaction, articleId: string, parentId: string): Promise<string> {
  const found = await tx.maybeOne(sql.type(threadRow)`
    select coalesce(parent_id, id) as thread from notes where id = ${parentId} and article_id = ${articleId}`);
  if (found === null) throw validationFailed({ parent_id: 'must be the id of a note of this article' });
  return found.thread;
}

/** Where a quote is in the content; one that only the pending edit has is nowhere yet. */
async function placeOf(
  tx: Transaction,
  article: Article,
  quote: string,
  occurrence: number,
): Promise<Anchor> {
  const live = nth(article.content ?? '', quote, occurrence);
  if (live.start !== null) return { start: live.start, near: live.start };
  const pending = await tx.maybeOne(sql.type(pendingRow)`
    select changes ->> 'content' as content from pending_edits where article_id = ${article.id}`);
  const { start, count } = live.count > 0 ? live : nth(pending?.content ?? '', quote, occurrence);
  if (start !== null) return { start: null, near: start };
  throw validationFailed(
    count === 0
      ? { quote: 'must occur in the content of the article, or of its pending edit' }
      : { occurrence: `must be at most ${count}: the quote occurs as often` },
  );
}

/** Where a text occurs for the nth time, in code points; null if it occurs less often. */
function nth(
  text: string,
  quote: string,
  n: number,
): { readonly start: number | null; readonly count: number } {
  let count = 0;
  for (const unit of occurrences(text, quote)) {
    count += 1;
    if (count === n) return { start: indexedText(text).pointAt(unit), count };
  }
  return { start: null, count };
}

export interface NoteChanges {
  readonly body?: string | undefined;
  readonly resolved?: boolean | undefined;
}

/**
 * Changes a note: its author the body, anybody who writes whether it is resolved. Without an effect the version stays.
 *
 * @throws ServiceError FORBIDDEN
 */
export async function changeNote(
  change: Change,
  { memberId }: Writer,
  current: Note,
  { body = current.body, resolved }: NoteChanges,
): Promise<Note> {
  if (body !== current.body && current.author_id !== memberId)
    throw new ServiceError('FORBIDDEN', 'body: only its author can change the text of a note. Reply to it.');
  const isResolved = current.resolved_by !== null;
  const wanted = resolved ?? isResolved;
  if (body === current.body && wanted === isResolved) return current;
  const { tx, now } = change;
  await tx.exec(statement`
    update notes set body = ${body}, version = version + 1, updated_at = ${at(now)},
      resolved_by = case when not ${wanted}::boolean then null else coalesce(resolved_by, ${memberId}) end
    where id = ${current.id}`);
  const details = {
    ...(body !== current.body && { changed: ['body'] }),
    ...(wanted !== isResolved && { resolved: { before: isResolved, after: wanted } }),
  };
  record(change, 'note.update', current.article_id, current.id, details);
  return getNote(tx, current.article_id, current.id);
}

/** Deletes a note with its replies. @throws ServiceError INSUFFICIENT_SCOPE */
export function deleteNote(change: Change, { memberId, mayPublish }: Writer, current: Note): void {
  if (current.author_id !== memberId && !mayPublish)
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'A note is deleted by its author, or by a person with the permission articles.publish.',
    );
  change.tx.atCommit(statement`delete from notes where id = ${current.id}`);
  record(change, 'note.delete', current.article_id, current.id, {});
}

const record = (
  change: Change,
  action: 'note.create' | 'note.update' | 'note.delete',
  articleId: string,
  id: string,
  details: object,
): void => recordChange(change, action, { type: 'note', id }, { article_id: articleId, ...details });
