import { findEditSchedule } from '../domain/pending-edits/schedule.ts';
import { publishEdit } from './pending-edit/publish-due-edits.ts';
import type { Ports } from './ports.ts';

/** A pending edit in the database. */
export interface EditSchedule {
  /** When it is due, ISO 8601; null if it is not scheduled. */
  readonly due: string | null;
  /** The fields that stood against it at its last time. */
  readonly conflict: readonly string[];
}

/** The side effects of scheduled pending edits. Each is safe to run twice: the database decides. */
export const createPendingEditActivities = (ports: Pick<Ports, 'db' | 'clock' | 'purger'>) => ({
  /** @returns null if the article has no pending edit (any more) */
  async readPendingEdit(articleId: string): Promise<EditSchedule | null> {
    const found = await findEditSchedule(ports.db, articleId);
    return found && { due: found.scheduled_at?.toISOString() ?? null, conflict: found.conflict };
  },

  /**
   * Publishes the edit if it is due, or stores the obstacle. @returns whether it is published: one that is gone at its
   * time, too, for a workflow hears when it is discarded
   */
  async publishPendingEdit(articleId: string, siteId: string): Promise<boolean> {
    const outcome = await publishEdit(ports, articleId, siteId);
    return (
      typeof outcome === 'object' ||
      (outcome === 'not due' && (await findEditSchedule(ports.db, articleId)) === null)
    );
  },
});

export type PendingEditActivities = ReturnType<typeof createPendingEditActivities>;
