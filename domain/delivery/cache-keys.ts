import { createHash } from 'node:crypto';
import type { PageKind } from '../sites/public-urls.ts';

/**
 * What a key of a cache stands for: everything of a Site, its files about all articles, the feeds of all terms, or a
 * page.
 */
type Keyed = 'site' | 'content' | 'terms' | `${PageKind} ${string}`;

/**
 * A key by which a cache drops what it has (docs/spec/rulings.md, 20). It says nothing about what it stands for.
 *
 * @param what for pages, the kind with the slug of a term or the id of an article
 */
export const cacheKey = (siteId: string, what: Keyed): string =>
  createHash('sha256').update(`cache ${siteId} ${what}`).digest('hex').slice(0, 20);
