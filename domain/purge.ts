import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { Effects } from '../db/effects.ts';
import { array, sql } from '../db/sql.ts';
import { deferredEffect } from './deferred-effect.ts';
import { workflowMessage } from './workflow-messages.ts';

/** Tells the cache in front of a blog which addresses are stale. */
export interface CachePurger {
  /** @returns whether the cache has accepted it, after `timeoutMs` at most */
  purge(urls: readonly string[], timeoutMs: number): Promise<boolean>;
}

/** The dependencies for purging the addresses of changed public content; without a purger nothing is called. */
export interface Purging {
  readonly site: { readonly id: string; readonly domain: string };
  readonly db: Database;
  readonly purger: CachePurger | null;
  /** Leaves the purge to its workflow: for a worker, which has no request to purge in. */
  readonly byWorkflow?: boolean;
}

export const cachePurges = deferredEffect(
  sql.fragment`cache_purges`,
  sql.fragment`urls`,
  z.array(z.string()),
  (purgeId, siteId) => workflowMessage('cache-purge', { purgeId, siteId }),
);

/**
 * Purges the addresses of articles after the commit (docs/spec/rulings.md, 4, Cache purge).
 *
 * @param slugs of the articles, before and after the change
 */
export function purgeArticles(
  tx: Effects,
  { site, db, purger, byWorkflow = false }: Purging,
  slugs: readonly (string | null)[],
  now: Date,
): void {
  if (purger === null) return;
  const urls = [...new Set(slugs)]
    .filter((slug) => slug !== null)
    .map((slug) => `https://${site.domain}/${slug}`);
  if (urls.length === 0) return;
  tx.gather(`purge ${site.id}`, urls, (effects, gathered) => {
    const all = [...new Set(gathered)];
    cachePurges.defer(
      { tx: effects, db, siteId: site.id, now },
      sql.fragment`${array(all, 'text')}`,
      byWorkflow ? null : (timeoutMs) => purger.purge(all, timeoutMs),
    );
  });
}
