import { limitLockWaits } from '../../db/lock-waits.ts';
import { shareOf } from '../../domain/organisations/share.ts';
import { publishDueEdit } from '../../domain/pending-edits/publish.ts';
import type { DueEdit } from '../../domain/pending-edits/publish.ts';
import { findDueEdits } from '../../domain/pending-edits/schedule.ts';
import { publishedOnSchedule } from '../../observability/metrics/publishing.ts';
import { inTraceOf } from '../../observability/tracing/trace.ts';
import type { Ports } from '../ports.ts';

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

/** Publishes the pending edits that are due, or stores what stands against them. @returns how many of either */
export async function publishDueEdits(
  ports: Pick<Ports, 'db' | 'clock' | 'purger' | 'log'>,
): Promise<number> {
  const untaken = (await findDueEdits(ports.db, ports.clock.now(), EDITS)).values();
  let done = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      // A shared iterator: each edit is taken once.
      for (const { article_id: articleId, site_id: siteId, schedule_traceparent: left } of untaken)
        try {
          const attributes = { article_id: articleId, site_id: siteId };
          const outcome = await inTraceOf(left, { name: 'publish pending edit', attributes }, () =>
            publishEdit(ports, articleId, siteId, LOCK_MS),
          );
          if (outcome !== 'not due') done += 1;
        } catch (error) {
          // Its own workflow tries it as well, and shows the failure.
          ports.log.warn(
            { err: error, site_id: siteId, article_id: articleId },
            'a pending edit could not be published',
          );
        }
    }),
  );
  return done;
}
