import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PendingEditActivities } from '../activities/pending-edit.ts';
import { localOptions, publishAtItsTime, visibleOptions } from './at-its-time.ts';
import type { Steps, Waiting } from './at-its-time.ts';

export interface PendingEditInput {
  readonly articleId: string;
  readonly siteId: string;
}

/**
 * `conflict`: something stood against it. `cancelled`: it has no schedule any more. `gone`: it was published by a request,
 * or before the workflow began, or discarded.
 */
type End = 'conflict' | 'cancelled' | 'gone';
export type PendingEditState = Waiting<End>;

const localActivities = proxyLocalActivities<PendingEditActivities>(localOptions);
const visibleActivities = proxyActivities<PendingEditActivities>(visibleOptions);

/**
 * Publishes the pending edit of an article at its time. One per article; ends when the edit is published, held back by a
 * conflict, or no longer scheduled.
 */
export const pendingEdit = (input: PendingEditInput): Promise<PendingEditState['state']> =>
  publishAtItsTime(input, stepsOf(input, localActivities), stepsOf(input, visibleActivities));

const stepsOf = ({ articleId, siteId }: PendingEditInput, activities: PendingEditActivities): Steps<End> => ({
  async read() {
    const edit = await activities.readPendingEdit(articleId);
    if (edit === null) return { end: 'gone' };
    if (edit.due !== null) return { due: edit.due };
    return edit.conflict.length > 0
      ? { end: 'conflict', why: edit.conflict.join(', ') }
      : { end: 'cancelled' };
  },
  publish: () => activities.publishPendingEdit(articleId, siteId),
});
