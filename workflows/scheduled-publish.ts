import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ScheduledPublishActivities } from '../activities/scheduled-publish.ts';
import { localOptions, publishAtItsTime, visibleOptions } from './at-its-time.ts';
import type { Steps, Waiting } from './at-its-time.ts';

export interface ScheduledPublishInput {
  readonly articleId: string;
  readonly siteId: string;
}

type End = 'cancelled';
export type ScheduledPublishState = Waiting<End>;

const localActivities = proxyLocalActivities<ScheduledPublishActivities>(localOptions);
const visibleActivities = proxyActivities<ScheduledPublishActivities>(visibleOptions);

/** Publishes an article at its scheduled time. One per article; ends when it is published or no longer scheduled. */
export const scheduledPublish = (input: ScheduledPublishInput): Promise<ScheduledPublishState['state']> =>
  publishAtItsTime(input, stepsOf(input, localActivities), stepsOf(input, visibleActivities));

const stepsOf = (
  { articleId }: ScheduledPublishInput,
  activities: ScheduledPublishActivities,
): Steps<End> => ({
  async read() {
    const due = await activities.readScheduledTime(articleId);
    return due === null || due === 'published' ? { end: due ?? 'cancelled' } : { due };
  },
  publish: () => activities.publishDueArticle(articleId),
});
