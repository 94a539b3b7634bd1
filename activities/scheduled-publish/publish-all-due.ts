import { limitLockWaits } from '../../db/lock-waits.ts';
import { findSitesWithDue, publishDueOfSites } from '../../domain/publication/publish-due.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';
import type { Ports } from '../ports.ts';

/** Sites whose articles one transaction publishes, and such transactions at the same time. */
const SITES_TOGETHER = 8;
const GROUPS_AT_ONCE = 4;
/** How long a group waits for a lock. After that each of its Sites is published alone, so that it delays no other. */
const LOCK_MS = 200;
/** Sites that are published alone at the same time. Each may wait for a lock, and others need the connections. */
const SITES_AT_ONCE = 12;
/** Time limit of a pass: the timers that wait for it have 10 s. */
const PASS_MS = 5_000;

/**
 * Publishes every article that is due, several Sites in one transaction.
 *
 * @returns the ids of the published articles
 */
export async function publishAllDue({
  db,
  clock,
  log,
  purger,
}: Pick<Ports, 'db' | 'clock' | 'log' | 'purger'>): Promise<ReadonlySet<string>> {
  const published = new Set<string>();
  const begun = performance.now();
  const end = begun + PASS_MS;

  /** @param siteIds whose articles a transaction publishes @param isAlone whether it may wait for locks */
  async function publishSites(siteIds: readonly string[], isAlone: boolean): Promise<void> {
    for (let left = siteIds; left.length > 0 && performance.now() < end;) {
      const batch = await db.transaction(async (tx) => {
        const limited = !isAlone && limitLockWaits(tx, LOCK_MS);
        const publishing = publishDueOfSites(tx, { db, purger, byWorkflow: true }, left, clock.now());
        return (await Promise.all([publishing, limited]))[0];
      });
      for (const { id, scheduledFor } of batch.published) {
        published.add(id);
        publishedOnSchedule(scheduledFor, clock.now());
      }
      left = batch.left;
    }
  }

  /** Works on the items, some at once, until the pass ends. */
  async function each<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<unknown>) {
    // A shared iterator: each item is taken once.
    const untaken = items.values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const item of untaken) {
          if (performance.now() >= end) return;
          await work(item);
        }
      }),
    );
  }

  const sites = shuffled(await findSitesWithDue(db, clock.now()));
  const failed: string[] = [];
  await each(portionsOf(sites), GROUPS_AT_ONCE, (siteIds) =>
    publishSites(siteIds, false).catch(() => failed.push(...siteIds)),
  );
  await each(failed, SITES_AT_ONCE, (siteId) =>
    publishSites([siteId], true).catch((error: unknown) =>
      // Each article's own workflow then tries it alone, and shows the failure.
      log.warn({ err: error, site_id: siteId }, 'the articles of a Site could not be published together'),
    ),
  );
  if (published.size > 1) {
    const ms = Math.round(performance.now() - begun);
    log.info({ articles: published.size, ms }, 'the articles that were due have been published');
  }
  return published;
}

/** @returns the items in portions of equal size, but for the last */
function portionsOf(siteIds: readonly string[]): string[][] {
  const count = Math.ceil(siteIds.length / SITES_TOGETHER);
  return Array.from({ length: count }, (_, index) =>
    siteIds.slice(index * SITES_TOGETHER, (index + 1) * SITES_TOGETHER),
  );
}

/** Workers start with different Sites, so they compete for fewer rows. */
function shuffled<T>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}
