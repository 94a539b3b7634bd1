import { ApplicationFailure, Context } from '@temporalio/activity';
import { creditsLeft } from '../domain/usage/credits.ts';
import { beginRun, endRun } from '../domain/pipeline/run-lifecycle.ts';
import { ServiceError } from '../domain/kernel/errors.ts';
import type { Remaining } from '../domain/pipeline/run-lifecycle.ts';
import { noteEnd, noteWriterFailure, WRITER_TRIES } from '../domain/pipeline/tries.ts';
import { closeStage, failStage, openStage, USED_UP } from '../domain/pipeline/stage-execution.ts';
import type { StageExecution } from '../domain/pipeline/stage-execution.ts';
import type { StopReason } from '../domain/paid-work/paid-work.ts';
import { saveStep } from '../domain/pipeline/steps.ts';
import type { StepError } from '../domain/pipeline/steps.ts';
import type { Step } from '../domain/pipeline/stage-result.ts';
import type { Transaction } from '../db/transaction.ts';
import { costAfter, stageCost } from '../domain/pipeline/stages.ts';
import type { Stage } from '../domain/pipeline/stages.ts';
import type { RunArticle } from '../domain/pipeline/stage-execution-rows.ts';
import {
  articleGivenUp,
  callsFailed,
  runEnded,
  stageTried,
  tokensUsed,
} from '../observability/metrics/pipeline.ts';
import { WriterError } from '../domain/pipeline/writer.ts';
import { createPlaces, doStep, noted, ourFailure, OUR_TRIES } from './paid-steps.ts';
import { addUp } from '../adapters/writer/llm/spent.ts';
import { perform } from './pipeline-run/perform.ts';
import { findTenant } from '../domain/organisations/share.ts';
import type { Ports } from './ports.ts';

/** The remaining work of a run. */
export interface Begun {
  readonly articles: readonly Remaining[];
  /** Credits that the Site can spend. */
  readonly left: number;
}

/** The outcome of one stage of one article. */
export type Advance =
  | {
      readonly kind: 'done';
      /** Cost of the article's remaining stages; 0 if there are none. */
      readonly costLeft: number;
      /** Credits that the Site can spend. */
      readonly left: number;
    }
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** The organisation is at its limit of concurrent stages: try again later. */
  | { readonly kind: 'waits' };

/** Concurrent stages of a worker. */
export const STAGES_AT_ONCE = 100;
/** Concurrent stages of one organisation on a worker. */
const STAGES_OF_ONE = 12;
/** How many of an organisation's stages may wait for a place. */
const WAITING_OF_ONE = 4;

/** The side effects of a run. Each is safe to run twice: the database decides about the rest. */
export const createPipelineRunActivities = (
  ports: Pick<Ports, 'db' | 'clock' | 'log' | 'writer' | 'sources' | 'research' | 'jobProcesses'>,
) => {
  const { db, clock, log } = ports;
  const places = createPlaces(STAGES_AT_ONCE, STAGES_OF_ONE, WAITING_OF_ONE);
  return {
    /** @returns null if the run has already ended */
    async beginPipelineRun(siteId: string, runId: string): Promise<Begun | null> {
      const articles = await db.transaction((tx) => beginRun(tx, runId, ports.writer.name, clock.now()));
      return articles === null ? null : { articles, left: await spendable(siteId) };
    },

    /** Runs an article's next stage: charges for it, runs the writer, records the result. */
    async advanceArticle(of: RunArticle): Promise<Advance> {
      let known: Known | null = null;
      const end = (failure: StepError | null): Promise<unknown> =>
        noted(log, idsOf(of), () => db.transaction((tx) => ended(tx, of, known, failure)));
      return doStep<Advance>(places, {
        tenant: () => findTenant(db, of.siteId),
        work: () => advance(of, (next) => (known = next)),
        noteEnd: () => end(null),
        async failed(error, begun, attempt) {
          if (!begun) return { kind: 'waits' };
          if (error instanceof ApplicationFailure) throw error;
          log.warn({ err: error, ...idsOf(of) }, 'a stage failed');
          if (error instanceof WriterError) return await writerFailed(of, known, error, attempt);
          await end(OUR_FAULT);
          throw stageFailure(attempt);
        },
      });
    },

    /** Marks the article's current stage as failed for good. */
    async failArticle(of: RunArticle, message: string): Promise<void> {
      await db.transaction((tx) => failStage(tx, of, message, clock.now()));
      articleGivenUp();
    },

    /**
     * @param stopped null if nothing was left to do
     * @returns the run's status, or `gone` if the database was restored from a backup without the run
     */
    async endPipelineRun(siteId: string, runId: string, stopped: StopReason | null): Promise<string> {
      try {
        const run = await db.transaction((tx) => endRun(tx, siteId, runId, stopped, clock.now()));
        runEnded(run.status);
        return run.status;
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') return 'gone';
        throw error;
      }
    },
  };

  async function advance(of: RunArticle, knows: (known: Known) => void): Promise<Advance> {
    const opening = await db.transaction((tx) => openStage(tx, of, clock.now()));
    if (opening.kind === 'lost') throw lost(opening.workers);
    if (opening.kind !== 'open') return opening;
    const begun = performance.now();
    const { stage } = opening.execution;
    const step = { ...blankStep, startedAt: clock.now(), model: ports.writer.modelOf(stage) };
    knows({ stage, step });
    const tried = (outcome: 'done' | 'failed'): void =>
      stageTried(stage, outcome, (performance.now() - begun) / 1_000);
    try {
      const advanced = await work(of, opening.execution, step, (asked) => knows({ stage, step: asked }));
      tried('done');
      return advanced;
    } catch (error) {
      tried('failed');
      throw error;
    }
  }

  async function work(
    of: RunArticle,
    execution: StageExecution,
    step: Step,
    asks: (step: Step) => void,
  ): Promise<Advance> {
    const attempt = { siteId: of.siteId, signal: Context.current().cancellationSignal };
    const result = await perform(ports, execution, attempt, step, asks);
    const { stage } = execution;
    const { inputTokens, outputTokens, searchFailed } = result.step;
    if (searchFailed) log.warn({ ...idsOf(of), why: searchFailed }, 'a search failed');
    const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
    log.info({ site_id: of.siteId, run_id: of.runId, stage, ...tokens }, 'a stage is done');
    tokensUsed(inputTokens, outputTokens);
    const more = await db.transaction((tx) => closeStage(tx, of, execution, result, clock.now()));
    return { kind: 'done', costLeft: more ? costAfter(stage) : 0, left: await spendable(of.siteId) };
  }

  /**
   * Tells Temporal whether and when to retry. A stage that fails for good but stays charged is marked as failed here.
   *
   * @throws ApplicationFailure
   */
  async function writerFailed(
    of: RunArticle,
    attempted: Known | null,
    error: WriterError,
    attempt: number,
  ): Promise<Advance> {
    const { final: isFinal, charged, failedCalls, retryAfterMs, message } = error;
    const stage = attempted?.stage ?? null;
    const known = await noted(log, idsOf(of), () =>
      db.transaction(async (tx) => {
        const noting = await noteWriterFailure(tx, of, stage, failedCalls, clock.now());
        const givenUp = isFinal || noting.usedUp || noting.failures >= WRITER_TRIES;
        const kept = givenUp && error.code !== 'NOTHING_TO_SAY' && (charged || noting.usedUp);
        if (attempted !== null && noting.isOpen) {
          const credits = kept ? stageCost[attempted.stage] : 0;
          const step = { ...attempted.step, ...addUp([attempted.step, error.spent]) };
          await saveStep(tx, of, attempted.stage, step, { credits, error }, clock.now());
        }
        return { ...noting, givenUp, kept };
      }),
    );
    // The database is unavailable, so this attempt could not be counted.
    if (known === null) throw stageFailure(attempt);
    callsFailed(failedCalls, known.justNow);
    if (known.justNow) log.warn(idsOf(of), 'the Site has used up its failed calls of the month');
    if (error.code === 'NOTHING_TO_SAY') {
      const why = `${error.code}: ${message}`;
      await db.transaction((tx) => failStage(tx, of, why, clock.now(), { stage: stage ?? undefined }));
      articleGivenUp();
      return { kind: 'finished' };
    }
    if (known.kept) {
      const why = charged
        ? `${message} The stage was charged.`
        : `The writer failed for good: ${message} ${USED_UP}`;
      await db.transaction((tx) =>
        failStage(tx, of, why, clock.now(), { charged: true, stage: stage ?? undefined }),
      );
      articleGivenUp();
      return { kind: 'finished' };
    }
    throw ApplicationFailure.create({
      message,
      type: 'WriterError',
      nonRetryable: known.givenUp,
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.max(1, retryAfterMs) }),
    });
  }

  /** Records the end of an attempt, and what failed on our side; a stage that is handed back has not failed. */
  async function ended(
    tx: Transaction,
    of: RunArticle,
    known: Known | null,
    failure: StepError | null,
  ): Promise<void> {
    const isOpen = await noteEnd(tx, of, known?.stage ?? null);
    if (!isOpen || known === null || failure === null) return;
    // Such an attempt is repeated for an hour, and says nothing about its prompt.
    const step = { ...known.step, prompt: null };
    await saveStep(tx, of, known.stage, step, { credits: 0, error: failure }, clock.now());
  }

  async function spendable(siteId: string): Promise<number> {
    const { balance, underCap } = await creditsLeft(db, siteId, clock.now());
    return Math.min(balance, underCap ?? Infinity);
  }
};

export type PipelineRunActivities = ReturnType<typeof createPipelineRunActivities>;

/** What is known of an attempt at a stage, should it fail. */
interface Known {
  readonly stage: Stage;
  readonly step: Step;
}

const blankStep = {
  promptVersion: null,
  prompt: null,
  answer: null,
  inputTokens: null,
  outputTokens: null,
};

const OUR_FAULT = { code: 'INTERNAL_ERROR', message: 'Something failed on our side.' };

const stageFailure = (attempt: number): ApplicationFailure => ourFailure('StageError', attempt >= OUR_TRIES);

const lost = (workers: number): ApplicationFailure =>
  ApplicationFailure.create({
    message: `${workers} workers ended while they were at it.`,
    type: 'WorkersLost',
    nonRetryable: true,
  });

const idsOf = ({ siteId, runId, articleId }: RunArticle) => ({
  site_id: siteId,
  run_id: runId,
  article_id: articleId,
});
