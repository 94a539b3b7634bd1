import { publishDueArticle } from '../domain/publication/publish-due.ts';
import type { PublishedDue } from '../domain/publication/publish-due.ts';
import { findSchedule } from '../domain/publication/schedule.ts';
import { publishedOnSchedule } from '../observability/metrics/publishing.ts';
import type { Ports } from './ports.ts';

/** The side effects of scheduled publishing. Each is safe to run twice: the database decides. */
export function createScheduledPublishActivities({
  db,
  clock,
  purger,
  dueArticles,
}: Pick<Ports, 'db' | 'clock' | 'purger' | 'dueArticles'>) {
  /** Publishes an article that the pass skipped: it was locked, or another article of its Site failed. */
  async function publishAlone(articleId: string): Promise<PublishedDue | null> {
    const published = await db.transaction((tx) =>
      publishDueArticle(tx, { db, purger, byWorkflow: true }, articleId, clock.now()),
    );
    if (published !== null) publishedOnSchedule(published.scheduledFor, clock.now());
    return published;
  }

  return {
    /** When an article is due, ISO 8601; `published` if it is public, or null if it is not scheduled. */
    async readScheduledTime(articleId: string): Promise<string | null> {
      const found = await findSchedule(db, articleId);
      if (found?.status === 'published') return found.status;
      return found?.scheduled_publish_at?.toISOString() ?? null;
    },

    /** Publishes the article if it is due, with everything else that is due. @returns whether the article is public */
    async publishDueArticle(articleId: string): Promise<boolean> {
      const found = await findSchedule(db, articleId);
      if (found?.status === 'published') return true;
      const due = found?.scheduled_publish_at ?? null;
      if (due === null || due > clock.now()) return false;
      if ((await dueArticles.publish()).has(articleId) || (await publishAlone(articleId)) !== null)
        return true;
      // Another worker was faster, or the schedule was cancelled meanwhile.
      return (await findSchedule(db, articleId))?.status === 'published';
    },
  };
}

export type ScheduledPublishActivities = ReturnType<typeof createScheduledPublishActivities>;
