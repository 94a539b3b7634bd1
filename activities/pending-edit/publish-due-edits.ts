import { limitLockWaits } from '../../db/lock-waits.ts';
import { shareOf } from '../../domain/organisations/share.ts';
import { publishDueEdit } from '../../domain/pending-edits/publish.ts';
import type { DueEdit } from '../../domain/pending-edits/publish.ts';
import { findDueEdits, nextEdit } from '../../domain/pending-edits/schedule.ts';
import type { FoundEdit } from '../../domain/pending-edits/schedule.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';
import { inTraceOf } from '../../observability/tracing/trace.ts';
import type { Ports } from '../ports.ts';
import { earliest, SetAside } from '../set-aside.ts';

/** Edits of one look, and those that are published at the same time. */
const EDITS = 500;
const AT_ONCE = 6;
/** How long each waits for the lock of its article. After that it is left to the next look, and to its workflow. */
const LOCK_MS = 500;

/** Publishes an edit if it is due, or stores the obstacle. @param lockMs how long it waits for a lock, if not as others do */
export async function publishEdit(
  { db, clock, purger }: Pick<Ports, 'db' | 'clock' | 'purger'>,
  articleId: string,
  siteId: string,
  lockMs?: number,
): Promise<DueEdit> {
  const own = await shareOf(db, siteId);
  const outcome = await own.transaction(async (tx) => {
    if (lockMs !== undefined) await limitLockWaits(tx, lockMs);
    return publishDueEdit(tx, { db, purger, byWorkflow: true }, articleId, clock.now());
  });
  if (typeof outcome === 'object') publishedOnSchedule(outcome.publishedFor, clock.now());
  return outcome;
}

/** Publishes the pending edits that are due, or stores what stands against them. */
export class DueEdits {
  readonly #ports: Pick<Ports, 'db' | 'clock' | 'purger' | 'log'>;
  readonly #aside = new SetAside();

  constructor(ports: Pick<Ports, 'db' | 'clock' | 'purger' | 'log'>) {
    this.#ports = ports;
  }

  /** @returns how many of either */
  async publish(): Promise<number> {
    const { db, clock } = this.#ports;
    const now = clock.now();
    const untaken = (await findDueEdits(db, now, EDITS, this.#aside.at(now))).values();
    let done = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        // A shared iterator: each edit is taken once.
        for (const edit of untaken) if (await this.#publishOne(edit)) done += 1;
      }),
    );
    return done;
  }

  /** When something is due next, or is tried again; a time that has passed if something was left. */
  async next(): Promise<Date | null> {
    const { db, clock } = this.#ports;
    const now = clock.now();
    return earliest(await nextEdit(db, this.#aside.at(now)), this.#aside.next(now));
  }

  /** @returns whether it is published, or what stands against it stored */
  async #publishOne({ article_id: articleId, site_id: siteId, schedule_traceparent: left }: FoundEdit) {
    const attributes = { article_id: articleId, site_id: siteId };
    try {
      const outcome = await inTraceOf(left, { name: 'publish pending edit', attributes }, () =>
        publishEdit(this.#ports, articleId, siteId, LOCK_MS),
      );
      return outcome !== 'not due';
    } catch (error) {
      // Its own workflow tries it as well, and shows the failure.
      const ms = this.#aside.add(articleId, error, this.#ports.clock.now());
      this.#ports.log.warn(
        { err: error, ...attributes, again_in_ms: ms },
        'a pending edit could not be published',
      );
      return false;
    }
  }
}
