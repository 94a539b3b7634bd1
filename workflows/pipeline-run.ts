import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Advance, PipelineActivities } from '../activities/pipeline.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface PipelineRunInput {
  readonly runId: string;
  readonly siteId: string;
}

export interface PipelineRunProgress {
  readonly state: string;
  readonly articlesLeft: number;
  readonly stagesDone: number;
  /** The ids of the articles that are being worked on. */
  readonly underWay: readonly string[];
}

// The API has written it into the database as well, where each stage looks; Temporal's UI and command line have not.
export const cancelRun = defineSignal('cancel');
const progress = defineQuery<PipelineRunProgress>('progress');

const { beginPipelineRun, failArticle, endPipelineRun } = proxyActivities<PipelineActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
});

/** How often a writer is tried, the activity decides; a worker that dies is noticed by its heartbeat. */
const { advanceArticle } = proxyActivities<PipelineActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute' },
});

/** Articles that a run works on side by side, where the money surely reaches for all of them. */
const SIDE_BY_SIDE = 4;

type Stop = Extract<Advance, { kind: 'stopped' }>['reason'];

/**
 * Carries out a run of the pipeline: takes its articles in their order, each stage after stage, and ends at the
 * first unit that cannot be paid (decisions 10). Another article is begun beside those under way only while what is
 * left pays for the rest of them all, so that where the run ends does not depend on which of them is faster.
 */
export async function pipelineRun({ runId, siteId }: PipelineRunInput): Promise<string> {
  const begun = await beginPipelineRun(siteId, runId);
  if (begun === null) return 'ended before';

  const waiting = [...begun.articles];
  /** Articles under way, with what the rest of each costs. */
  const underWay = new Map<string, number>();
  let { left } = begun;
  let state = 'running';
  let stagesDone = 0;
  let stopped: Stop | null = null;
  let broken: unknown;

  const enter = (next: string): void => {
    state = next;
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next }]);
    show();
  };
  const show = (): void => {
    const articles = waiting.length + underWay.size;
    setCurrentDetails(
      `${state}: ${stagesDone} stages done, ${articles} articles left, ${left} credits to spend`,
    );
  };
  const cancel = (): void => {
    enter('cancelling');
    if (patched('end-by-signal')) stopped ??= 'cancelled';
  };
  setHandler(cancelRun, cancel, { description: 'End the run at its next stage boundary.' });
  const report = (): PipelineRunProgress => ({
    state,
    stagesDone,
    articlesLeft: waiting.length + underWay.size,
    underWay: [...underWay.keys()],
  });
  setHandler(progress, report, { description: 'How far the run is.' });
  enter('running');

  /** Takes an article through its stages, until it is done or the run is to end. */
  const take = async (articleId: string): Promise<void> => {
    while (stopped === null) {
      const advance = await advanceOrFail({ runId, siteId, articleId });
      if (advance.kind === 'stopped') stopped ??= advance.reason;
      if (advance.kind !== 'done') return;
      stagesDone += 1;
      left = advance.left;
      underWay.set(articleId, advance.costLeft);
      show();
      if (advance.costLeft === 0) return;
    }
  };
  const mayBegin = (): boolean => {
    const next = waiting[0];
    if (next === undefined || stopped !== null || broken !== undefined) return false;
    if (underWay.size === 0) return !workflowInfo().continueAsNewSuggested;
    const committed = [...underWay.values()].reduce((sum, cost) => sum + cost, next.cost);
    return underWay.size < SIDE_BY_SIDE && committed <= left && !workflowInfo().continueAsNewSuggested;
  };
  const begin = (): void => {
    const next = waiting.shift();
    if (next === undefined) return;
    underWay.set(next.articleId, next.cost);
    take(next.articleId)
      .catch((error: unknown) => (broken = error))
      .finally(() => underWay.delete(next.articleId));
  };

  try {
    while (mayBegin()) begin();
    while (underWay.size > 0) {
      const { size } = underWay;
      await condition(() => underWay.size < size || mayBegin());
      while (mayBegin()) begin();
    }
  } catch (error) {
    // The wait itself is what Temporal's cancellation ends first.
    broken = error;
  }
  if (broken !== undefined && !isCancellation(broken)) throw broken;
  // Whoever ends the workflow by Temporal's own means ends the run.
  if (broken !== undefined) stopped = 'cancelled';
  else if (stopped === null && waiting.length > 0) await continueAsNew<typeof pipelineRun>({ runId, siteId });
  const status = await CancellationScope.nonCancellable(() => endPipelineRun(siteId, runId, stopped));
  enter(status);
  return status;
}

/** Has a stage done; one whose writer fails for good is given up, and the run goes on with the others. */
async function advanceOrFail(of: Parameters<PipelineActivities['advanceArticle']>[0]): Promise<Advance> {
  try {
    return await advanceArticle.executeWithOptions({ summary: `article ${of.articleId}` }, [of]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const { cause } = error;
    const why = cause instanceof ApplicationFailure ? cause.message : 'the worker did not answer in time.';
    await failArticle(of, `The writer failed for good: ${why}`);
    return { kind: 'finished' };
  }
}
