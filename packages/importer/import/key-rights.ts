import { isRejection } from '../../command/api-client.ts';
import type { ApiClient } from '../../command/api-client.ts';
import { requireScopes, scopesOfSecretKey } from '../../command/key-scopes.ts';
import type { Scope } from '../../command/key-scopes.ts';
import type { Uses } from './site.ts';

/** The objects that the import has to write; the key needs the rights for it. */
export interface Writes {
  readonly articles: boolean;
  readonly authors: boolean;
  readonly categories: boolean;
  readonly tags: boolean;
  readonly images: boolean;
}

interface Write {
  readonly what: keyof Writes;
  readonly scope: Scope;
  /** Sends a body to each operation that the import will use. */
  readonly probes: readonly ((client: ApiClient, body: never) => Promise<unknown>)[];
}

const writes: readonly Write[] = [
  { what: 'articles', scope: 'articles:write', probes: [({ articles }, body) => articles.create(body)] },
  { what: 'authors', scope: 'authors:write', probes: [({ authors }, body) => authors.create(body)] },
  {
    what: 'categories',
    scope: 'taxonomy:write',
    probes: [({ categories }, body) => categories.create(body)],
  },
  { what: 'tags', scope: 'taxonomy:write', probes: [({ tags }, body) => tags.create(body)] },
  {
    what: 'images',
    scope: 'media:write',
    probes: [({ media }, body) => media.reserveUpload(body), ({ media }, body) => media.register(body)],
  },
];

/**
 * @returns the scopes of the key
 * @throws UsageError for a publishable key, or one without a scope for reading
 */
export async function requireReadScopes(client: ApiClient, uses: Uses): Promise<ReadonlySet<string>> {
  const scopes = await scopesOfSecretKey(client);
  const needed: Scope[] = ['articles:read'];
  if (uses.authors) needed.push('authors:read');
  if (uses.categories || uses.tags) needed.push('taxonomy:read');
  if (uses.images) needed.push('media:read');
  if (uses.formats) needed.push('meta:read');
  requireScopes(scopes, needed, 'import');
  return scopes;
}

/**
 * Checks before the first write that the key may do all of them. /ping shows its scopes, but not the permissions of its
 * creator, so these are probed by requests that are always rejected without effect.
 *
 * @param probe false in a dry run, which sends no probes
 * @throws UsageError if the key lacks a right
 */
export async function requireWriteRights(
  client: ApiClient,
  scopes: ReadonlySet<string>,
  wanted: Writes,
  probe: boolean,
): Promise<void> {
  const needed = writes.filter(({ what }) => wanted[what]);
  requireScopes(
    scopes,
    needed.map(({ scope }) => scope),
    'import',
  );
  if (!probe) return;
  for (const probe of needed.flatMap(({ probes }) => probes)) {
    // An array is never a valid body, so these probes are always rejected without effect.
    await probe(client, [] as never).catch((error: unknown) => {
      if (!isRejection(error)) throw error;
    });
  }
}
