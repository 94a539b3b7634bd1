import { hash } from 'node:crypto';
import type { PageKind } from './public-urls.ts';

/**
 * The meaning of a key of a cache: everything of a Site, its files about all articles, the feeds of all terms, or a
 * page.
 */
type Keyed = 'site' | 'content' | 'terms' | `${PageKind} ${string}`;

/**
 * A key by which a cache drops its pages (docs/spec/rulings.md, 20). It says nothing about what it stands for.
 *
 * @param what for pages, the kind with the slug of a term or the id of an article
 */
export const cacheKey = (siteId: string, what: Keyed): string =>
  hash('sha256', `cache ${siteId} ${what}`).slice(0, 20);
