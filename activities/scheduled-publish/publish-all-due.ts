import { limitLockWaits } from '../../db/lock-waits.ts';
import { findSitesWithDue, publishDueOfSites } from '../../domain/publication/publish-due.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';
import { outsideTraces } from '../../observability/tracing/trace.ts';
import type { Ports } from '../ports.ts';

type PublishingPorts = Pick<Ports, 'db' | 'clock' | 'log' | 'purger'>;

/** Sites whose articles one transaction publishes, and such transactions at the same time. */
const SITES_TOGETHER = 8;
const GROUPS_AT_ONCE = 4;
/** How long a group waits for a lock. After that each of its Sites is published alone, so that it delays no other. */
const LOCK_MS = 200;
/** How long such a Site waits. After that it is left to the next pass, since others fall due, and to its workflows. */
const LOCK_ALONE_MS = 500;
/** Sites that are published alone at the same time. Each may wait for a lock, and others need the connections. */
const SITES_AT_ONCE = 8;
/** Time limit of a pass: the timers that wait for it have 10 s. */
const PASS_MS = 5_000;

/** Publishes the articles that are due, one pass at a time. The timers of one second all ask at once, and share a pass. */
export class DueArticles {
  readonly #ports: PublishingPorts;
  #pass: Promise<ReadonlySet<string>> | undefined;
  #together: Promise<unknown> | undefined;

  constructor(ports: PublishingPorts) {
    this.#ports = ports;
  }

  /** Publishes every article that is due. @returns the ids of those that it has published */
  publish(): Promise<ReadonlySet<string>> {
    const begun = (together: Promise<unknown>): unknown => (this.#together = together);
    this.#pass ??= outsideTraces(() => publishAllDue(this.#ports, begun)).finally(
      () => (this.#pass = undefined),
    );
    return this.#pass;
  }

  /** Resolves once no Sites are published together, which takes some seconds at most. Those that are locked are not. */
  async settled(): Promise<void> {
    await this.#together;
  }
}

/**
 * Publishes the due articles of several Sites in each transaction, and then those of each Site whose transaction failed.
 *
 * @param begun gets a promise that is resolved once the first of these two steps has ended
 */
async function publishAllDue(
  { db, clock, log, purger }: PublishingPorts,
  begun: (together: Promise<unknown>) => void,
): Promise<ReadonlySet<string>> {
  const published = new Set<string>();
  const begunAt = performance.now();
  const end = begunAt + PASS_MS;

  /** @param siteIds whose articles a transaction publishes @param lockMs how long it may wait for a lock */
  async function publishSites(siteIds: readonly string[], lockMs: number): Promise<void> {
    for (let left = siteIds; left.length > 0 && performance.now() < end;) {
      const batch = await db.transaction(async (tx) => {
        const limited = limitLockWaits(tx, lockMs);
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
  const together = each(portionsOf(sites), GROUPS_AT_ONCE, (siteIds) =>
    publishSites(siteIds, LOCK_MS).catch(() => failed.push(...siteIds)),
  );
  begun(together);
  await together;
  await each(failed, SITES_AT_ONCE, (siteId) =>
    publishSites([siteId], LOCK_ALONE_MS).catch((error: unknown) =>
      // Each article's own workflow then tries it alone, and shows the failure.
      log.warn({ err: error, site_id: siteId }, 'the articles of a Site could not be published together'),
    ),
  );
  if (published.size > 1) {
    const ms = Math.round(performance.now() - begunAt);
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
