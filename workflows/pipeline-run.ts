import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Advance, PipelineRunActivities } from '../activities/pipeline-run.ts';
import { PIPELINE_TASK_QUEUE, searchAttributes } from './names.ts';
import { LONGEST_SHARE_WAIT_S, orElse, SHARE_WAIT_S, stepping, storing } from './paid-work.ts';

export interface PipelineRunProgress {
  readonly state: string;
  readonly articlesLeft: number;
  readonly stagesDone: number;
  /** The ids of the articles in progress. */
  readonly inProgress: readonly string[];
}

// The API also records a cancellation in the database, which each stage reads; Temporal's UI and command line do not.
export const cancelRun = defineSignal('cancel');
const progress = defineQuery<PipelineRunProgress>('progress');

const { beginPipelineRun, failArticle, endPipelineRun } = proxyActivities<PipelineRunActivities>(storing);
const { advanceArticle } = proxyActivities<PipelineRunActivities>({
  taskQueue: PIPELINE_TASK_QUEUE,
  ...stepping,
  // A long article is many calls, each with its own limit.
  startToCloseTimeout: '6 hours',
});

/** Articles in progress at once, if the credits suffice for all of them. */
const SIDE_BY_SIDE = 4;

type Stop = Extract<Advance, { kind: 'stopped' }>['reason'];

/**
 * Runs the pipeline over a run's articles, in order and stage by stage, and ends at the first stage that cannot be paid
 * for (docs/spec/rulings.md, 10). Another article starts only if the credits left pay for the rest of all articles in
 * progress, so the point at which a run ends does not depend on which article is faster.
 */
export async function pipelineRun({
  runId,
  siteId,
}: {
  readonly runId: string;
  readonly siteId: string;
}): Promise<string> {
  const begun = await orElse(beginPipelineRun(siteId, runId), () => 'given up' as const);
  if (begun === null) return 'ended before';
  if (begun === 'given up') return endPipelineRun(siteId, runId, 'provider_unavailable');

  const waiting = [...begun.articles];
  /** Articles in progress, each with the cost of its remaining stages. */
  const inProgress = new Map<string, number>();
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
    const articles = waiting.length + inProgress.size;
    setCurrentDetails(
      `${state}: ${stagesDone} stages done, ${articles} articles left, ${left} credits to spend`,
    );
  };
  const cancel = (): void => {
    enter('cancelling');
    stopped ??= 'cancelled';
  };
  setHandler(cancelRun, cancel, { description: 'End the run at its next stage boundary.' });
  const report = (): PipelineRunProgress => ({
    state,
    stagesDone,
    articlesLeft: waiting.length + inProgress.size,
    inProgress: [...inProgress.keys()],
  });
  setHandler(progress, report, { description: 'The progress of the run.' });
  enter('running');

  /** Takes an article through its stages until it is done or the run has to end. */
  const take = async (articleId: string): Promise<void> => {
    let pause = SHARE_WAIT_S;
    while (stopped === null) {
      const advance = await advanceOrFail({ runId, siteId, articleId });
      if (advance.kind === 'stopped') stopped ??= advance.reason;
      if (advance.kind === 'waits') {
        // The next run, with a fresh history, tries again.
        if (workflowInfo().continueAsNewSuggested) {
          putBack(articleId);
          return;
        }
        await condition(() => stopped !== null, `${pause} seconds`);
        pause = Math.min(pause * 2, LONGEST_SHARE_WAIT_S);
        continue;
      }
      if (advance.kind !== 'done') return;
      pause = SHARE_WAIT_S;
      stagesDone += 1;
      left = advance.left;
      inProgress.set(articleId, advance.costLeft);
      show();
      if (advance.costLeft === 0) return;
    }
  };
  const putBack = (articleId: string): void => {
    waiting.unshift({ articleId, cost: inProgress.get(articleId) ?? 0 });
  };
  const mayBegin = (): boolean => {
    const next = waiting[0];
    if (next === undefined || stopped !== null || broken !== undefined) return false;
    if (inProgress.size === 0) return !workflowInfo().continueAsNewSuggested;
    const committed = [...inProgress.values()].reduce((sum, cost) => sum + cost, next.cost);
    return inProgress.size < SIDE_BY_SIDE && committed <= left && !workflowInfo().continueAsNewSuggested;
  };
  const begin = (): void => {
    const next = waiting.shift();
    if (next === undefined) return;
    inProgress.set(next.articleId, next.cost);
    take(next.articleId)
      .catch((error: unknown) => (broken = error))
      .finally(() => inProgress.delete(next.articleId));
  };

  try {
    while (mayBegin()) begin();
    while (inProgress.size > 0) {
      const { size } = inProgress;
      await condition(() => inProgress.size < size || mayBegin());
      while (mayBegin()) begin();
    }
  } catch (error) {
    // Temporal's cancellation ends this wait first.
    broken = error;
  }
  if (broken !== undefined && !isCancellation(broken)) throw broken;
  // Cancelling the workflow through Temporal cancels the run.
  if (broken !== undefined) stopped = 'cancelled';
  else if (stopped === null && waiting.length > 0) await continueAsNew<typeof pipelineRun>({ runId, siteId });
  const status = await CancellationScope.nonCancellable(() => endPipelineRun(siteId, runId, stopped));
  enter(status);
  return status;
}

/** Runs one stage. If its writer fails for good, gives the article up; the run continues with the others. */
const advanceOrFail = (of: Parameters<PipelineRunActivities['advanceArticle']>[0]): Promise<Advance> =>
  orElse(
    advanceArticle.executeWithOptions({ summary: `article ${of.articleId}` }, [of]),
    async ({ cause }) => {
      const why = cause instanceof ApplicationFailure ? cause.message : 'the worker did not answer in time.';
      // If that fails too, the article stays as it is: the end of the run refunds its charge.
      await orElse(failArticle(of, `The writer failed for good: ${why}`), () => undefined);
      return { kind: 'finished' } as const;
    },
  );
