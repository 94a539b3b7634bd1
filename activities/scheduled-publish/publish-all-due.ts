import { limitLockWaits } from '../../db/lock-waits.ts';
import {
  findDueOfSite,
  findSitesWithDue,
  publishDueArticle,
  publishDueOfSites,
} from '../../domain/publication/publish-due.ts';
import type { PublishedDue } from '../../domain/publication/publish-due.ts';
import { nextSchedule } from '../../domain/publication/schedule.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';
import { outsideTraces } from '../../observability/tracing/trace.ts';
import type { Ports } from '../ports.ts';
import { earliest, isOfTheMoment, SetAside } from '../set-aside.ts';

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
  readonly #aside = new SetAside();
  #pass: Promise<ReadonlySet<string>> | undefined;
  #together: Promise<unknown> | undefined;

  constructor(ports: PublishingPorts) {
    this.#ports = ports;
  }

  /** Publishes every article that is due. @returns the ids of those that it has published */
  publish(): Promise<ReadonlySet<string>> {
    const begun = (together: Promise<unknown>): unknown => (this.#together = together);
    this.#pass ??= outsideTraces(() => publishAllDue(this.#ports, this.#aside, begun)).finally(
      () => (this.#pass = undefined),
    );
    return this.#pass;
  }

  /** When something is due next, or is tried again; a time that has passed if something was left. */
  async next(): Promise<Date | null> {
    const { db, clock } = this.#ports;
    const now = clock.now();
    return earliest(await nextSchedule(db, this.#aside.at(now)), this.#aside.next(now));
  }

  /** Resolves once no Sites are published together, which takes some seconds at most. Those that are locked are not. */
  async settled(): Promise<void> {
    await this.#together;
  }
}

/**
 * Publishes the due articles of several Sites in each transaction, then those of each Site whose transaction failed, and
 * one by one those of a Site with an article that cannot be published.
 *
 * @param aside articles that have failed
 * @param begun called with the first of these steps, as a promise
 */
async function publishAllDue(
  { db, clock, log, purger }: PublishingPorts,
  aside: SetAside,
  begun: (together: Promise<unknown>) => void,
): Promise<ReadonlySet<string>> {
  const published = new Set<string>();
  const begunAt = performance.now();
  const end = begunAt + PASS_MS;

  const purging = { db, purger, byWorkflow: true };
  const note = ({ id, scheduledFor }: PublishedDue): void => {
    published.add(id);
    publishedOnSchedule(scheduledFor, clock.now());
  };

  /**
   * @param siteIds whose articles a transaction publishes @param lockMs how long it may wait for a lock
   * @returns the Sites that may have more
   */
  async function publishSites(siteIds: readonly string[], lockMs: number): Promise<readonly string[]> {
    const batch = await db.transaction(async (tx) => {
      const limited = limitLockWaits(tx, lockMs);
      const now = clock.now();
      const publishing = publishDueOfSites(tx, purging, siteIds, now, aside.at(now));
      return (await Promise.all([publishing, limited]))[0];
    });
    batch.published.forEach(note);
    return batch.left;
  }

  async function publishOneByOne(siteId: string): Promise<void> {
    for (const id of await findDueOfSite(db, siteId, clock.now(), aside.at(clock.now()))) {
      if (performance.now() >= end) return;
      try {
        const one = await db.transaction(async (tx) => {
          await limitLockWaits(tx, LOCK_ALONE_MS);
          return publishDueArticle(tx, purging, id, clock.now());
        });
        if (one !== null) note(one);
      } catch (error) {
        // Its own workflow tries it as well, and shows the failure.
        const ms = aside.add(id, error, clock.now());
        log.warn(
          { err: error, site_id: siteId, article_id: id, again_in_ms: ms },
          'an article could not be published',
        );
      }
    }
  }

  /** Works on the items, some at once, until the pass ends. */
  async function each<Item>(
    items: Item[],
    atOnce: number,
    work: (item: Item) => Promise<readonly Item[]>,
  ): Promise<void> {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let item = items.shift(); item !== undefined; item = items.shift()) {
          if (performance.now() >= end) return;
          // After the others, so that a Site with very many keeps none of them waiting.
          items.push(...(await work(item)));
        }
      }),
    );
  }

  const sites = shuffled(await findSitesWithDue(db, clock.now(), aside.at(clock.now())));
  const failed: string[] = [];
  const together = each(portionsOf(sites), GROUPS_AT_ONCE, async (siteIds) => {
    const left = await publishSites(siteIds, LOCK_MS).catch(() => (failed.push(...siteIds), []));
    return left.length === 0 ? [] : [left];
  });
  begun(together);
  await together;
  await each(failed, SITES_AT_ONCE, async (siteId) => {
    try {
      return await publishSites([siteId], LOCK_ALONE_MS);
    } catch (error) {
      if (!isOfTheMoment(error)) await publishOneByOne(siteId);
      else
        log.warn({ err: error, site_id: siteId }, 'the articles of a Site could not be published together');
      return [];
    }
  });
  if (published.size > 1) {
    const ms = Math.round(performance.now() - begunAt);
    log.info({ articles: published.size, ms }, 'the articles that were due have been published');
  }
  return published;
}

/** @returns the items in portions of equal size, but for the last */
function portionsOf(siteIds: readonly string[]): (readonly string[])[] {
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
