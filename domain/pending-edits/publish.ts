import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Change, PublicChange } from '../audit/change.ts';
import { recordChange } from '../audit/change.ts';
import type { Actor } from '../audit/record.ts';
import { offerEvent } from '../events/events.ts';
import { notify, whoLast } from '../notifications/notify.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import { currentArticle, lockArticle } from '../articles/article.ts';
import { presentArticle } from '../articles/present.ts';
import { findMissingReferences } from '../articles/references.ts';
import type { Article } from '../articles/row.ts';
import { isSlugTaken } from '../articles/slug-taken.ts';
import { movesOf } from '../notes/anchors.ts';
import { missingApprovals } from '../publication/required-reviews.ts';
import { updateArticle } from '../publication/update.ts';
import type { Purging } from '../purge/purge.ts';
import { changedEdit, conflictsOf } from './pending-edit.ts';
import type { EditedArticle } from './pending-edit.ts';
import { discardEdit } from './edit.ts';
import { deleteEdit, findPendingEdit, updateEdit } from './row.ts';
import { cancelEditTimer } from '../publication/edit-timer.ts';

type EditChange = Change & PublicChange & { readonly site: Pick<Site, 'requiredReviews'> };

/**
 * Publishes a pending edit as one update of its article, and deletes it.
 *
 * @param force whether later changes of the article are overwritten
 * @throws ServiceError CONFLICT naming the fields that conflict; PREREQUISITE_MISSING without the approvals that the Site
 *   wants; what an update of the article throws
 */
export async function publishEdit(
  change: EditChange,
  purging: Purging,
  { article, edit }: EditedArticle,
  force: boolean,
): Promise<Article> {
  const conflicts = force ? [] : conflictsOf(article, edit);
  if (conflicts.length > 0) {
    const message = `has changed in the live article since version ${edit.base_version}`;
    throw new ServiceError(
      'CONFLICT',
      `The live article has changed in what the pending edit changes too: ${conflicts.join(', ')}. Change the edit, or publish it with force: true to overwrite that.`,
      { fields: Object.fromEntries(conflicts.map((field) => [field, message])) },
    );
  }
  const { tx, site, now } = change;
  const unapproved = await missingApprovals(tx, site, article.id, 'pending_edit');
  if (unapproved !== null) throw unapproved;
  const missing = await findMissingReferences(tx, site.id, edit.changes);
  const moves = await movesOf(tx, article, edit.changes);
  const published = await updateArticle(change, purging, article, edit.changes, { missing, moves });
  if (published === article) {
    discardEdit(change, edit);
    return article;
  }
  deleteEdit(tx, edit);
  if (edit.scheduled_at !== null) cancelEditTimer(tx, site.id, article.id, now);
  tellOfPublication(change, published);
  return published;
}

const reviewersOf = (articleId: string): FragmentSqlToken => sql.fragment`
  select unnest(reviewer_ids) from (
    select reviewer_ids from reviews where article_id = ${articleId}::uuid order by id desc limit 1
  ) newest`;

const tellOfPublication = (change: EditChange, article: Article): void =>
  offerEvent({ ...change, now: article.updated_at }, 'pending_edit.published', () => presentArticle(article));

const actor: Actor = { kind: 'system', name: 'pending edit' };
const siteRow = z.object({
  id: z.string(),
  organisation_id: z.string(),
  subscribed_events: z.array(z.string()),
  required_reviews: z.number(),
});

/**
 * The result of an edit at its time: published for a time, held back by a conflict, or not due, such as when it was
 * moved, discarded, or published before.
 */
export type DueEdit = { readonly publishedFor: Date } | 'conflict' | 'not due';

/**
 * Publishes a pending edit whose time has come. Its obstacle is stored in `conflict`, and ends the schedule
 * (docs/decisions/0106). Only the database decides, so a stale, early, late or repeated timer does no harm.
 */
export async function publishDueEdit(
  tx: Transaction,
  ports: Omit<Purging, 'site'>,
  articleId: string,
  now: Date,
): Promise<DueEdit> {
  if ((await lockArticle(tx, articleId)) === 0) return 'not due';
  const owner = await tx.one(sql.type(siteRow)`
    select s.id, s.organisation_id, s.subscribed_events, s.required_reviews
    from sites s join articles a on a.site_id = s.id where a.id = ${articleId}`);
  const [article, edit] = await Promise.all([
    currentArticle(tx, owner.id, articleId),
    findPendingEdit(tx, owner.id, articleId),
  ]);
  const due = edit?.scheduled_at ?? null;
  if (edit === null || due === null || due > now) return 'not due';

  const site = {
    id: owner.id,
    organisationId: owner.organisation_id,
    eventsFull: false,
    subscribedEvents: owner.subscribed_events,
    requiredReviews: owner.required_reviews,
  };
  const change: EditChange = { tx, site, actor, now };
  const missing = await findMissingReferences(tx, site.id, edit.changes);
  const conflict = await obstacles(tx, site.id, { article, edit }, missing);
  // What was allowed when it was scheduled stays so, unless it was changed since then.
  const unapproved =
    edit.unreviewed && (await missingApprovals(tx, site, articleId, 'pending_edit')) !== null;
  if (conflict.length > 0 || unapproved) {
    updateEdit(tx, edit, changedEdit(edit, { conflict, scheduled_at: null, unreviewed: false }, now));
    const details = { conflict, unapproved };
    const target = { type: 'article', id: articleId };
    recordChange(change, 'pending_edit.hold_back', target, details);
    const to = sql.fragment`${whoLast('pending_edit.schedule', site.id, articleId)} union ${reviewersOf(articleId)}`;
    const named = { title: article.title ?? '' };
    notify(tx, { kind: 'publication.failed', siteId: site.id, to, actor: null, target, named }, now);
    return 'conflict';
  }
  const moves = await movesOf(tx, article, edit.changes);
  const found = { missing: {}, moves };
  const published = await updateArticle(change, { ...ports, site }, article, edit.changes, found);
  deleteEdit(tx, edit);
  if (published === article)
    recordChange(change, 'pending_edit.delete', { type: 'article', id: articleId }, {});
  else tellOfPublication(change, published);
  return { publishedFor: due };
}

/** The fields that stand against publishing an edit: nobody is there to read an error. */
async function obstacles(
  tx: Transaction,
  siteId: string,
  { article, edit }: EditedArticle,
  missing: FieldMessages,
): Promise<string[]> {
  const { slug } = edit.changes;
  const taken = slug && slug !== article.slug && (await isSlugTaken(tx, siteId, slug));
  const gone = Object.keys(missing).map((path) => path.split('.', 1)[0] as string);
  return [...new Set<string>([...conflictsOf(article, edit), ...gone, ...(taken ? ['slug'] : [])])];
}
