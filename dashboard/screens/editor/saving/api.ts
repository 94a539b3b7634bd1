import { PressworkError } from '../../../../sdk/src/index.ts';
import type { Article, PendingEdit, Presswork, Result } from '../../../../sdk/src/index.ts';
import { request } from '../../../session/request.ts';
import { fieldsOf } from './fields.ts';
import type { Fields } from './fields.ts';
import type { Lifecycle, SaveRequest, Snapshot } from './save-state.ts';

/** The Site of an article, and its client. */
export interface Home {
  readonly siteId: string;
  readonly presswork: Presswork;
}

/** The article in the API: its pending edit if it is published, and otherwise the article itself. */
export async function readSnapshot(home: Home, id: string): Promise<Snapshot> {
  const { presswork } = home;
  const article = (await presswork.articles.get(id)) as Result<Article>;
  if (article.status !== 'published') return ofArticle(article);
  const pending = await findPendingEdit(home, id);
  const live = fieldsOf(article);
  return pending === null
    ? { ...ofArticle(article), target: 'pending', etag: null, live }
    : ofPendingEdit(pending, live, article.slug);
}

/** @throws PressworkError */
export async function sendSave(home: Home, { base, patch, createKey }: SaveRequest): Promise<Snapshot> {
  const { presswork } = home;
  const { id, target, etag } = base;
  if (id === null) return ofArticle(await presswork.articles.create(patch, { idempotencyKey: createKey }));
  if (target === 'pending') return savePendingEdit(home, id, { base, patch, createKey });
  return ofArticle(await presswork.articles.update(id, patch, { ifMatch: etag ?? undefined }));
}

async function savePendingEdit(home: Home, id: string, { base, patch }: SaveRequest): Promise<Snapshot> {
  // Without a version the API would change an edit that somebody else has begun meanwhile.
  if (base.etag === null && (await findPendingEdit(home, id)) !== null) throw stale();
  try {
    const options = base.etag === null ? {} : { ifMatch: base.etag };
    return ofPendingEdit(
      await home.presswork.articles.updatePendingEdit(id, patch, options),
      base.live,
      base.lifecycle.live_slug,
    );
  } catch (error) {
    // It is not published any more.
    throw error instanceof PressworkError && error.code === 'CONFLICT' ? stale() : error;
  }
}

const stale = (): PressworkError =>
  new PressworkError('PRECONDITION_FAILED', 'The article has changed meanwhile.', { status: 412 });

async function findPendingEdit({ siteId, presswork }: Home, id: string): Promise<Result<PendingEdit> | null> {
  // Asked first, because browsers report a 404 as an error, and most articles have none.
  const path = `/sites/${siteId}/articles/${id}/pending-edit`;
  if (!(await request<{ exists: boolean }>('GET', path)).exists) return null;
  try {
    return await presswork.articles.getPendingEdit(id);
  } catch (error) {
    if (error instanceof PressworkError && error.status === 404) return null;
    throw error;
  }
}

const ofArticle = (article: Result<Article>): Snapshot => ({
  id: article.id,
  target: 'article',
  etag: article.meta.etag,
  fields: fieldsOf(article),
  live: null,
  lifecycle: lifecycleOf(article, { live_slug: article.status === 'published' ? article.slug : null }),
});

const ofPendingEdit = (
  edit: Result<PendingEdit>,
  live: Fields | null,
  liveSlug: string | null,
): Snapshot => ({
  id: edit.article.id,
  target: 'pending',
  etag: edit.meta.etag,
  fields: fieldsOf(edit.article),
  live,
  lifecycle: lifecycleOf(edit.article, {
    live_slug: liveSlug,
    edit_scheduled_at: edit.scheduled_at,
    edit_conflict: edit.conflict ?? [],
  }),
});

const lifecycleOf = (article: Article, edit: Partial<Lifecycle>): Lifecycle => ({
  status: article.status,
  origin: article.origin,
  published_at: article.published_at,
  content_updated_at: article.content_updated_at,
  scheduled_publish_at: article.scheduled_publish_at,
  updated_at: article.updated_at,
  live_slug: null,
  edit_scheduled_at: null,
  edit_conflict: [],
  ...edit,
});
