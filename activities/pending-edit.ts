import { publishDueEdit } from '../domain/pending-edits/publish.ts';
import { findEditSchedule } from '../domain/pending-edits/schedule.ts';
import { shareOf } from '../domain/organisations/share.ts';
import { publishedOnSchedule } from '../observability/metrics/publishing.ts';
import type { Ports } from './ports.ts';

/** A pending edit in the database. */
export interface EditSchedule {
  /** When it is due, ISO 8601; null if it is not scheduled. */
  readonly due: string | null;
  /** The fields that stood against it at its last time. */
  readonly conflict: readonly string[];
}

/** The side effects of scheduled pending edits. Each is safe to run twice: the database decides. */
export const createPendingEditActivities = ({
  db,
  clock,
  purger,
}: Pick<Ports, 'db' | 'clock' | 'purger'>) => ({
  /** @returns null if the article has no pending edit (any more) */
  async readPendingEdit(articleId: string): Promise<EditSchedule | null> {
    const found = await findEditSchedule(db, articleId);
    return found && { due: found.scheduled_at?.toISOString() ?? null, conflict: found.conflict };
  },

  /** Publishes the edit if it is due, or stores the obstacle. @returns whether it was published */
  async publishPendingEdit(articleId: string, siteId: string): Promise<boolean> {
    const own = await shareOf(db, siteId);
    const outcome = await own.transaction((tx) =>
      publishDueEdit(tx, { db, purger, byWorkflow: true }, articleId, clock.now()),
    );
    if (typeof outcome === 'string') return false;
    publishedOnSchedule(outcome.publishedFor, clock.now());
    return true;
  },
});

export type PendingEditActivities = ReturnType<typeof createPendingEditActivities>;
