import type { ArticleStatus } from '../articles/row.ts';

/** The statuses from which an article can be published or scheduled (docs/spec/rulings.md, 4). */
const publishable: ReadonlySet<ArticleStatus> = new Set([
  'draft',
  'scheduled',
  'generated',
  'needs_improvement',
  'needs_images',
  'queued',
]);

export const canBecomePublic = (status: ArticleStatus): boolean => publishable.has(status);

/** Whether readers see an article, or will at its time. */
export const isShownOrWillBe = (status: ArticleStatus): boolean =>
  status === 'published' || status === 'scheduled';

const requeue = 'Requeue it with POST /pipeline/articles/{id}/requeue, and have a run take it on.';

/** Why an article in a pipeline status cannot become public, as the end of a sentence, and what to do about it. */
export function whyNotPublic(status: ArticleStatus): string {
  switch (status) {
    case 'skipped':
      return `the pipeline gave it up, as its topic scored too low. ${requeue}`;
    case 'rejected':
      return `it was rejected. ${requeue}`;
    case 'failed':
      return `the pipeline failed on it. ${requeue}`;
    default:
      return 'the pipeline has not finished with it.';
  }
}
