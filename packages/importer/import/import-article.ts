import { isDeepStrictEqual } from 'node:util';
import type { ArticleCreate } from '../../../sdk/src/index.ts';
import { isRejection, lacksRight } from '../../command/api-client.ts';
import type { ApiClient } from '../../command/api-client.ts';
import { createOnce, digestOf } from './create-once.ts';
import type { ArticleEntry } from './entry.ts';
import { asEntry, EntryError } from './entry-error.ts';
import { findArticle, isUnfinished } from './site.ts';
import type { SiteArticle } from './site.ts';

/** An entry as sent to the API, with its final image URLs and ids. */
export interface Draft {
  readonly entry: ArticleEntry;
  readonly body: ArticleCreate;
}

/**
 * Creates an article, and publishes it if the entry is published. It is complete before it is published, so that
 * nothing has to be changed afterwards (docs/spec/rulings.md, 13).
 *
 * @throws EntryError if the API rejects it; the article has been deleted then
 */
export async function importArticle(client: ApiClient, draft: Draft): Promise<void> {
  const { entry, body } = draft;
  const { data, made } = await asEntry(
    createOnce<SiteArticle>({
      create: (options) => client.articles.create(body, options),
      read: (id) => client.articles.get(id),
      idempotencyKey: `import-article-${digestOf(entry.external_id)}`,
      find: () => findArticle(client, entry.external_id),
    }),
  );
  const { id } = data;
  if (!made) {
    // Another run created it, and may have changed it since.
    const existing = await findArticle(client, entry.external_id);
    if (existing !== null && entry.status === 'published' && isUnfinished(existing)) {
      await complete(client, draft, existing.id);
    }
    return;
  }
  if (entry.status === 'draft') return;
  try {
    await publish(client, entry, id);
  } catch (error) {
    if (error instanceof EntryError) await deleteDraft(client, id);
    throw error;
  }
}

/**
 * Updates a never-published draft from its entry, and publishes it.
 *
 * @throws EntryError if the API rejects it
 */
export async function complete(client: ApiClient, { entry, body }: Draft, id: string): Promise<void> {
  const current: Readonly<Record<string, unknown>> = { ...(await asEntry(client.articles.get(id))) };
  const changes = Object.entries(body).filter(
    // An origin is sent on create alone.
    ([name, value]) => name !== 'origin' && value !== undefined && !isSame(name, value, current[name]),
  );
  if (changes.length > 0) await asEntry(client.articles.update(id, Object.fromEntries(changes)));
  await publish(client, entry, id);
}

/** Compares a member; the order of tags does not matter. */
const isSame = (name: string, left: unknown, right: unknown): boolean =>
  name === 'tag_ids' && Array.isArray(left) && Array.isArray(right)
    ? isDeepStrictEqual(new Set(left), new Set(right))
    : isDeepStrictEqual(left, right);

async function publish(
  client: ApiClient,
  { published_at: first, content_updated_at: updated }: ArticleEntry,
  id: string,
): Promise<void> {
  const times = { published_at: first?.toISOString(), content_updated_at: updated?.toISOString() };
  await asEntry(client.articles.publish(id, times)).catch((error: unknown) => {
    throw lacksRight(error) ? new EntryError([{ field: 'status', message: NEEDS_PUBLISHER }]) : error;
  });
}

const NEEDS_PUBLISHER =
  'must be draft, as the key may not publish: that needs the permission articles.publish';

async function deleteDraft(client: ApiClient, id: string): Promise<void> {
  try {
    await client.articles.delete(id);
  } catch (error) {
    // Somebody else may have deleted it.
    if (!isRejection(error)) throw error;
  }
}
