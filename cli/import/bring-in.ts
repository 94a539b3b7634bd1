import { isDeepStrictEqual } from 'node:util';
import type { ApiClient } from '../api-client.ts';
import { createOnce, digestOf } from './create-once.ts';
import type { ArticleEntry } from './entry.ts';
import { Refused, refusedBy } from './refused.ts';
import { findArticle, isUnfinished } from './site.ts';
import type { SiteArticle } from './site.ts';

/** An entry as the API takes it: addresses of images and ids are final. */
export interface Draft {
  readonly entry: ArticleEntry;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Creates an article, and publishes it where the entry says so. Everything is final before it is published, so that
 * nothing has to be changed afterwards (decisions 13).
 *
 * @throws Refused where the API refuses it; what was made of it is gone then
 */
export async function bringIn(client: ApiClient, draft: Draft): Promise<void> {
  const { entry, body } = draft;
  const outcome = await createOnce<SiteArticle>(client, {
    path: '/articles',
    body,
    idempotencyKey: `import-article-${digestOf(entry.external_id)}`,
    find: () => findArticle(client, entry.external_id),
  });
  if (outcome.data === undefined) throw refusedBy(outcome.error);
  const { id } = outcome.data;
  if (!outcome.made) {
    // Another run made it, and may have done more since.
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
    if (error instanceof Refused) await client.send('DELETE', `/articles/${id}`);
    throw error;
  }
}

/**
 * Makes a never-published draft what its entry says, and publishes it.
 *
 * @throws Refused where the API refuses that
 */
export async function complete(client: ApiClient, { entry, body }: Draft, id: string): Promise<void> {
  const { data, error: gone } = await client.send<Readonly<Record<string, unknown>>>(
    'GET',
    `/articles/${id}`,
  );
  if (data === undefined) throw refusedBy(gone);
  const changes = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !isSame(name, value, data[name]),
  );
  if (changes.length > 0) {
    const { error } = await client.send('PATCH', `/articles/${id}`, { body: Object.fromEntries(changes) });
    if (error !== undefined) throw refusedBy(error);
  }
  await publish(client, entry, id);
}

/** Tags are a set. */
const isSame = (name: string, left: unknown, right: unknown): boolean =>
  name === 'tag_ids' && Array.isArray(left) && Array.isArray(right)
    ? isDeepStrictEqual(new Set(left), new Set(right))
    : isDeepStrictEqual(left, right);

async function publish(
  client: ApiClient,
  { published_at: first, content_updated_at: updated }: ArticleEntry,
  id: string,
): Promise<void> {
  const { error } = await client.send('POST', `/articles/${id}/publish`, {
    body: { published_at: first, content_updated_at: updated },
  });
  if (error !== undefined) throw refusedBy(error);
}
