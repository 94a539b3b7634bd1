import { generateSigningSecret } from '../../domain/webhooks/signing-secret.ts';
import { readJson } from '../../runtime/home.ts';
import { Presswork, PressworkError } from '../../sdk/src/index.ts';
import { writeJson } from './home.ts';

/** The objects of the example blog on a Site. */
export interface BlogAccess {
  readonly base_url: string;
  readonly url: string;
  readonly publishable_key: string;
  readonly comment_key: string;
  /** For `presswork listen`, while deliveries to this machine are not allowed. */
  readonly event_key: string;
  readonly webhook_secret: string;
  /** null while deliveries to this machine are not allowed. */
  readonly webhook_id: string | null;
}

export const blogEvents = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
  'comment.created',
] as const;

const readerScopes = ['articles:read', 'taxonomy:read', 'authors:read', 'meta:read'] as const;

/**
 * Makes the keys and the webhook endpoint of the example blog through the API, or takes those of the last start.
 *
 * @param file where they are kept
 * @param owner a client with a secret key of the Site
 * @param url where the blog will be
 */
export async function ensureBlogAccess(
  file: string,
  owner: Presswork,
  baseUrl: string,
  url: string,
): Promise<BlogAccess> {
  const known = readJson<BlogAccess>(file);
  const usable = known?.base_url === baseUrl && known.url === url && (await isUsable(owner, known));
  const keys = usable ? known : { base_url: baseUrl, url, ...(await createKeys(owner)) };
  const endpoint = usable && known.webhook_id !== null ? null : await createEndpoint(owner, url);
  const access = { webhook_secret: generateSigningSecret(), webhook_id: null, ...keys, ...endpoint };
  writeJson(file, access);
  return access;
}

async function isUsable(owner: Presswork, access: BlogAccess): Promise<boolean> {
  try {
    for (const apiKey of [access.publishable_key, access.comment_key, access.event_key])
      await new Presswork({ apiKey, baseUrl: access.base_url }).ping();
    return access.webhook_id === null || (await owner.webhooks.get(access.webhook_id)).enabled;
  } catch (error) {
    if (error instanceof PressworkError && [401, 404].includes(error.status)) return false;
    throw error;
  }
}

/** A key for each thing that the blog does, and with no other rights. */
async function createKeys(owner: Presswork) {
  const secretOf = async (...[body]: Parameters<Presswork['keys']['create']>): Promise<string> =>
    (await owner.keys.create(body)).secret ?? '';
  return {
    publishable_key: await secretOf({ kind: 'publishable', name: 'Blog: reading', scopes: readerScopes }),
    comment_key: await secretOf({ kind: 'secret', name: 'Blog: comments', scopes: ['engagement:write'] }),
    event_key: await secretOf({ kind: 'secret', name: 'Blog: events', scopes: ['webhooks:read'] }),
  };
}

/** @returns null if deliveries to this machine are not allowed */
async function createEndpoint(
  owner: Presswork,
  url: string,
): Promise<{ webhook_id: string; webhook_secret: string } | null> {
  try {
    const body = { url: `${url}/_webhooks`, events: blogEvents, description: 'Example blog' };
    const { id, secret } = await owner.webhooks.create(body);
    return { webhook_id: id, webhook_secret: secret ?? '' };
  } catch (error) {
    if (error instanceof PressworkError && error.fields['url'] !== undefined) return null;
    throw error;
  }
}
