import { pipelineStatuses } from '../articles/article.ts';
import type { ArticleStatus } from '../articles/article.ts';

/** The stages of the pipeline, in order (decisions 10). */
export const stages = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;

export type Stage = (typeof stages)[number];

/** What a stage of one article costs, in credits. */
export const stageCost: Readonly<Record<Stage, number>> = {
  classify: 1,
  extract: 1,
  plan: 2,
  generate: 10,
  improve: 5,
};

/** Where an article stands with the pipeline. */
export interface Standing {
  readonly status: ArticleStatus;
  /** The last stage that was done, or null. */
  readonly stage: Stage | null;
}

export const isInPipeline = (status: ArticleStatus): boolean =>
  (pipelineStatuses as readonly ArticleStatus[]).includes(status);

/** The stage an article is to go through next, or null where the pipeline has nothing to do on it. */
export function nextStage({ status, stage }: Standing): Stage | null {
  switch (status) {
    case 'discovered':
      return 'classify';
    case 'scored':
      return 'extract';
    case 'scraped':
      return stage === 'plan' ? 'generate' : 'plan';
    case 'generated':
      return 'improve';
    default:
      return null;
  }
}

/** The stages that are left from one on, itself included. */
export const stagesFrom = (stage: Stage): readonly Stage[] => stages.slice(stages.indexOf(stage));

/** What is left to pay for an article once a stage is done, in credits. */
export const costAfter = (stage: Stage): number => costFrom(stage) - stageCost[stage];

/** What the rest of an article costs, in credits. */
export function costFrom(stage: Stage | null): number {
  return stage === null ? 0 : stagesFrom(stage).reduce((sum, each) => sum + stageCost[each], 0);
}

/** Statuses that a requeue takes an article out of (decisions 10). */
const requeueable: ReadonlySet<ArticleStatus> = new Set([
  'failed',
  'rejected',
  'skipped',
  'needs_improvement',
] as const);

/**
 * Where a requeued article goes: back to what its last good stage left, so that the next run goes on from there.
 * One that was skipped is judged anew; one that needs improvement is improved again.
 *
 * @returns null for a status that nothing is requeued from
 */
export function requeued({ status, stage }: Standing): Standing | null {
  if (!requeueable.has(status)) return null;
  if (status === 'skipped') return { status: 'discovered', stage: null };
  switch (stage) {
    case null:
      return { status: 'discovered', stage };
    case 'classify':
      return { status: 'scored', stage };
    case 'extract':
    case 'plan':
      return { status: 'scraped', stage };
    case 'generate':
    case 'improve':
      return { status: 'generated', stage: 'generate' };
  }
}
