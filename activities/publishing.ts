import type { Database } from '../db/database.ts';
import { publishDueArticle } from '../domain/articles/publish.ts';
import { findScheduledTime } from '../domain/articles/schedule.ts';
import type { Clock } from '../domain/clock.ts';
import type { CachePurger } from '../domain/purge.ts';
import { publishedOnSchedule } from '../metrics/publishing.ts';

export interface PublishingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly purger: CachePurger | null;
}

/** The side effects of scheduled publishing. Each is safe to run twice: the database decides. */
export const createPublishingActivities = ({ db, clock, purger }: PublishingPorts) => ({
  /** When an article is due, ISO 8601, or null when it is not scheduled. */
  async readScheduledTime(articleId: string): Promise<string | null> {
    return (await findScheduledTime(db, articleId))?.toISOString() ?? null;
  },

  /** Publishes the article where it is due by now. @returns whether this call published it */
  async publishDueArticle(articleId: string): Promise<boolean> {
    const scheduledFor = await db.transaction((tx) =>
      publishDueArticle(tx, { db, purger }, articleId, clock.now()),
    );
    if (scheduledFor === null) return false;
    publishedOnSchedule(scheduledFor, clock.now());
    return true;
  },
});

export type PublishingActivities = ReturnType<typeof createPublishingActivities>;
