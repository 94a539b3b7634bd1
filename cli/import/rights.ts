import type { Scope } from '../../domain/access/scopes.ts';
import type { ApiClient } from '../api-client.ts';
import { UsageError } from '../usage.ts';
import type { Uses } from './site.ts';

/** What the import has to write, and so what the key has to allow. */
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
  readonly paths: readonly string[];
}

const writes: readonly Write[] = [
  { what: 'articles', scope: 'articles:write', paths: ['/articles'] },
  { what: 'authors', scope: 'authors:write', paths: ['/authors'] },
  { what: 'categories', scope: 'taxonomy:write', paths: ['/categories'] },
  { what: 'tags', scope: 'taxonomy:write', paths: ['/tags'] },
  { what: 'images', scope: 'media:write', paths: ['/media/upload-url', '/media'] },
];

/**
 * @returns the scopes of the key
 * @throws UsageError for a key that cannot read what the import has to know
 */
export async function requireReading(client: ApiClient, uses: Uses): Promise<ReadonlySet<string>> {
  const { data } = await client.get<{ key_kind: string; scopes: readonly string[] }>('/ping');
  if (data.key_kind !== 'secret') {
    throw new UsageError('--key: it is a publishable key; importing needs a secret one.');
  }
  const scopes = new Set(data.scopes);
  requireScopes(scopes, [
    'articles:read',
    ...(uses.authors ? (['authors:read'] as const) : []),
    ...(uses.categories || uses.tags ? (['taxonomy:read'] as const) : []),
    ...(uses.images ? (['media:read'] as const) : []),
    ...(uses.formats ? (['meta:read'] as const) : []),
  ]);
  return scopes;
}

/**
 * Makes sure before the first write that none will be refused for the key's sake. Scopes show; whether the person who
 * made the key may still do it shows only when it is asked for, by a request that nothing can come of.
 *
 * @param asking false in a dry run, which sends no such request
 * @throws UsageError for a key that does not suffice
 */
export async function requireWriting(
  client: ApiClient,
  scopes: ReadonlySet<string>,
  wanted: Writes,
  asking: boolean,
): Promise<void> {
  const needed = writes.filter(({ what }) => wanted[what]);
  requireScopes(
    scopes,
    needed.map(({ scope }) => scope),
  );
  if (!asking) return;
  // No body that could be meant is a list, and each of these paths refuses one.
  for (const { paths } of needed) for (const path of paths) await client.send('POST', path, { body: [] });
}

function requireScopes(scopes: ReadonlySet<string>, needed: readonly Scope[]): void {
  const missing = [...new Set(needed)].filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  const plural = missing.length > 1 ? 's' : '';
  throw new UsageError(`--key: it lacks the scope${plural} ${missing.join(', ')}, which this import needs.`);
}
