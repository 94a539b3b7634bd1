import { pipelineStatuses } from '../articles/row.ts';
import type { ArticleStatus } from '../articles/row.ts';

/** The stages of the pipeline, in order (docs/spec/rulings.md, 10). */
export const stages = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;

export type Stage = (typeof stages)[number];

/** The price of a stage of one article, in credits. */
export const stageCost: Readonly<Record<Stage, number>> = {
  classify: 1,
  extract: 1,
  plan: 2,
  generate: 10,
  improve: 5,
};

/** The position of an article in the pipeline. */
export interface PipelinePosition {
  readonly status: ArticleStatus;
  /** The last completed stage, or null. */
  readonly stage: Stage | null;
}

export const isInPipeline = (status: ArticleStatus): boolean =>
  (pipelineStatuses as readonly ArticleStatus[]).includes(status);

/** The next stage of an article, or null if the pipeline has nothing to do on it. */
export function nextStage({ status, stage }: PipelinePosition): Stage | null {
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

/** A stage and all after it. */
export const stagesFrom = (stage: Stage): readonly Stage[] => stages.slice(stages.indexOf(stage));

/** The cost of an article after a stage, in credits. */
export const costAfter = (stage: Stage): number => costFrom(stage) - stageCost[stage];

/** The cost of an article from a stage on, in credits. */
export function costFrom(stage: Stage | null): number {
  return stage === null ? 0 : stagesFrom(stage).reduce((sum, each) => sum + stageCost[each], 0);
}

/** Whether a person can reject an article (docs/spec/rulings.md, 25). */
export const isRejectable = (status: ArticleStatus): boolean => isInPipeline(status) && status !== 'rejected';

/** Statuses from which an article can be requeued (docs/spec/rulings.md, 10). */
const requeueable: ReadonlySet<ArticleStatus> = new Set([
  'failed',
  'rejected',
  'skipped',
  'needs_improvement',
] as const);

/**
 * The position of a requeued article: after its last successful stage, so that the next run continues from there. A
 * skipped article is judged again; one that needs improvement is improved again.
 *
 * @returns null for a status that cannot be requeued
 */
export function requeued({ status, stage }: PipelinePosition): PipelinePosition | null {
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
