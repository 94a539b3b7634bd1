import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/transaction.ts';
import type { Caller } from '../access/authenticate.ts';
import type { Change, PublicChange } from '../audit/change.ts';
import { recordChange } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { requireQuotaIfWanted } from '../events/ceiling.ts';
import { offerEvent } from '../events/events.ts';
import { slugTaken } from '../kernel/constraints.ts';
import type { Site } from '../kernel/site.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import { findMissingReferences } from '../articles/references.ts';
import { writtenMembers } from '../articles/row.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { isSlugTaken } from '../articles/slug-taken.ts';
import { lostByPublic } from '../publication/update.ts';
import { changedEdit, edited } from './pending-edit.ts';
import type { EditedArticle } from './pending-edit.ts';
import { presentPendingEdit } from './present.ts';
import { deleteEdit, insertEdit, updateEdit } from './row.ts';
import type { PendingEdit } from './row.ts';
import { cancelEditTimer } from '../publication/edit-timer.ts';

/** A version starts below this, at random: the ETag of a deleted edit matches none that follows. */
const FIRST_VERSIONS = 2 ** 30;

/**
 * Begins a pending edit, or changes it: keeps its schedule, and clears its conflict. Does nothing if it has neither an
 * effect nor a conflict to clear.
 *
 * @param by whose changes they are
 * @throws ServiceError CONFLICT if the article is not published; whatever an update of the article with these members
 *   would throw: VALIDATION_FAILED, SLUG_CONFLICT; RATE_LIMIT_EXCEEDED while the Site's events have reached their
 *   ceiling, if one has to be recorded
 */
export async function saveEdit(
  change: Change & PublicChange & { readonly site: Pick<Site, 'requiredReviews'> },
  by: Pick<Caller, 'memberId' | 'heldByAgent'>,
  { article, edit }: EditedArticle<PendingEdit | null>,
  sent: ArticleChanges,
): Promise<EditedArticle> {
  const { tx, site, now } = change;
  if (article.status !== 'published') {
    throw conflict(
      `Only a published article can have a pending edit; this one is ${article.status}. Change it with PATCH /articles/{id}.`,
    );
  }
  await requireAcceptable(tx, site.id, article, sent);
  const changes = { ...edit?.changes, ...normalized(sent) };
  const isOther = !isDeepStrictEqual(changes, edit?.changes);
  if (edit !== null && edit.conflict.length === 0 && !isOther) return { article, edit };
  const moved =
    edit === null ? beginning(article, changes, now) : changedEdit(edit, { changes, conflict: [] }, now);
  const next = isOther ? withOtherText(moved, by, site) : moved;
  if (edit === null) requireQuotaIfWanted(site, 'pending_edit.created');
  if (edit === null) insertEdit(tx, site.id, next);
  else updateEdit(tx, edit, next);
  const details = differences(edited(article, edit), edited(article, next), writtenMembers);
  recordChange(change, 'pending_edit.update', { type: 'article', id: article.id }, details);
  if (edit === null)
    offerEvent(change, 'pending_edit.created', () => ({
      article_id: article.id,
      ...presentPendingEdit({ article, edit: next }),
    }));
  return { article, edit: next };
}

/** Deletes a pending edit, and its schedule. The article stays as it is. */
export function discardEdit(change: Change, edit: PendingEdit): void {
  const { tx, site, now } = change;
  deleteEdit(tx, edit);
  if (edit.scheduled_at !== null) cancelEditTimer(tx, site.id, edit.article_id, now);
  recordChange(change, 'pending_edit.delete', { type: 'article', id: edit.article_id }, {});
}

async function requireAcceptable(
  tx: Transaction,
  siteId: string,
  article: Article,
  sent: ArticleChanges,
): Promise<void> {
  const fields = { ...lostByPublic(article, sent), ...(await findMissingReferences(tx, siteId, sent)) };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  const { slug } = sent;
  if (slug && slug !== article.slug && (await isSlugTaken(tx, siteId, slug))) throw slugTaken();
}

/** Without members that are undefined, and with tags as an article has them. */
function normalized({ tag_ids: tags, ...others }: ArticleChanges): ArticleChanges {
  const sent = tags ? { ...others, tag_ids: [...new Set(tags)].sort() } : others;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

/** The edit as another text, which its reviews have not seen. */
const withOtherText = (
  edit: PendingEdit,
  { memberId, heldByAgent }: Pick<Caller, 'memberId' | 'heldByAgent'>,
  { requiredReviews }: Pick<Site, 'requiredReviews'>,
): PendingEdit => ({
  ...edit,
  text_number: edit.version,
  changed_by: heldByAgent ? edit.changed_by : [...new Set([...edit.changed_by, memberId])],
  unreviewed: edit.unreviewed || (edit.scheduled_at !== null && requiredReviews > 0),
});

const beginning = (article: Article, changes: ArticleChanges, now: Date): PendingEdit => ({
  article_id: article.id,
  base_version: article.version,
  base: Object.fromEntries(writtenMembers.map((name) => [name, article[name]])) as PendingEdit['base'],
  changes,
  conflict: [],
  scheduled_at: null,
  version: randomInt(1, FIRST_VERSIONS),
  text_number: 0,
  changed_by: [],
  unreviewed: false,
  created_at: now,
  updated_at: now,
});
