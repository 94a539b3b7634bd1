import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { findSitesWithDue, publishDueOfSite } from '../../domain/articles/publish-due.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CachePurger } from '../../domain/purge.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';

export interface PublishingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Not called here; only says whether there is a cache to purge. */
  readonly purger: CachePurger | null;
}

/** Sites whose articles are published at the same time, so that their commits share flushes of the log. */
const SITES_AT_ONCE = 12;
/** Time limit of a pass: the timers that wait for it have 10 s. */
const PASS_MS = 5_000;

/**
 * Publishes every article that is due, Site by Site, so that a slow Site does not delay the others.
 *
 * @returns the ids of the published articles
 */
export async function publishAllDue({
  db,
  clock,
  log,
  purger,
}: PublishingPorts): Promise<ReadonlySet<string>> {
  const published = new Set<string>();
  const begun = performance.now();
  const end = begun + PASS_MS;
  // A shared iterator: each Site is taken once.
  const sites = shuffled(await findSitesWithDue(db, clock.now())).values();

  async function publishSite(siteId: string): Promise<void> {
    for (let more = true; more && performance.now() < end;) {
      const batch = await db.transaction(
        (tx) => publishDueOfSite(tx, { db, purger, byWorkflow: true }, siteId, clock.now()),
        { siteId },
      );
      for (const { id, scheduledFor } of batch.published) {
        published.add(id);
        publishedOnSchedule(scheduledFor, clock.now());
      }
      more = batch.more && batch.published.length > 0;
    }
  }

  await Promise.all(
    Array.from({ length: SITES_AT_ONCE }, async () => {
      for (const siteId of sites) {
        if (performance.now() >= end) return;
        try {
          await publishSite(siteId);
        } catch (error) {
          // Each article's own workflow then tries it alone, and shows what is wrong.
          log.warn({ err: error, site_id: siteId }, 'the articles of a Site could not be published together');
        }
      }
    }),
  );
  if (published.size > 1) {
    const ms = Math.round(performance.now() - begun);
    log.info({ articles: published.size, ms }, 'the articles that were due have been published');
  }
  return published;
}

/** Workers start with different Sites, so they compete for fewer rows. */
function shuffled<T>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}
