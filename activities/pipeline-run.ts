import { ApplicationFailure, Context } from '@temporalio/activity';
import { creditsLeft } from '../domain/usage/credits.ts';
import { beginRun, endRun } from '../domain/pipeline/run-lifecycle.ts';
import { ServiceError } from '../domain/kernel/errors.ts';
import type { Remaining } from '../domain/pipeline/run-lifecycle.ts';
import { noteEnd, noteWriterFailure, WRITER_TRIES } from '../domain/pipeline/tries.ts';
import { closeStage, failStage, openStage, USED_UP } from '../domain/pipeline/stage-execution.ts';
import type { StageExecution } from '../domain/pipeline/stage-execution.ts';
import type { StopReason } from '../domain/paid-work/paid-work.ts';
import { costAfter } from '../domain/pipeline/stages.ts';
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
  ports: Pick<Ports, 'db' | 'clock' | 'log' | 'writer' | 'sources' | 'jobProcesses'>,
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
      let stage: Stage | null = null;
      const end = (): Promise<unknown> =>
        noted(log, idsOf(of), () => db.transaction((tx) => noteEnd(tx, of, stage)));
      return doStep<Advance>(places, {
        tenant: () => findTenant(db, of.siteId),
        work: () => advance(of, (opened) => (stage = opened)),
        noteEnd: end,
        async failed(error, begun, attempt) {
          if (!begun) return { kind: 'waits' };
          if (error instanceof ApplicationFailure) throw error;
          log.warn({ err: error, ...idsOf(of) }, 'a stage failed');
          if (error instanceof WriterError) return await writerFailed(of, stage, error, attempt);
          await end();
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

  async function advance(of: RunArticle, opened: (stage: Stage) => void): Promise<Advance> {
    const opening = await db.transaction((tx) => openStage(tx, of, clock.now()));
    if (opening.kind === 'lost') throw lost(opening.workers);
    if (opening.kind !== 'open') return opening;
    const begun = performance.now();
    const { stage } = opening.execution;
    opened(stage);
    const tried = (outcome: 'done' | 'failed'): void =>
      stageTried(stage, outcome, (performance.now() - begun) / 1_000);
    try {
      const advanced = await work(of, opening.execution);
      tried('done');
      return advanced;
    } catch (error) {
      tried('failed');
      throw error;
    }
  }

  async function work(of: RunArticle, execution: StageExecution): Promise<Advance> {
    const attempt = { siteId: of.siteId, signal: Context.current().cancellationSignal };
    const result = await perform(ports, execution, attempt);
    const { stage } = execution;
    const { inputTokens, outputTokens } = result.step;
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
    stage: Stage | null,
    error: WriterError,
    attempt: number,
  ): Promise<Advance> {
    const { final: isFinal, charged, code, failedCalls, retryAfterMs, message } = error;
    if (code !== null) {
      const why = `${code}: ${message}`;
      await db.transaction((tx) => failStage(tx, of, why, clock.now(), { stage: stage ?? undefined }));
      articleGivenUp();
      return { kind: 'finished' };
    }
    const known = await noted(log, idsOf(of), () =>
      db.transaction((tx) => noteWriterFailure(tx, of, stage, failedCalls, clock.now())),
    );
    // The database is unavailable, so this attempt could not be counted.
    if (known === null) throw stageFailure(attempt);
    callsFailed(failedCalls, known.justNow);
    if (known.justNow) log.warn(idsOf(of), 'the Site has used up its failed calls of the month');
    const givenUp = isFinal || known.usedUp || known.failures >= WRITER_TRIES;
    if (givenUp && (charged || known.usedUp)) {
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
      nonRetryable: givenUp,
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.max(1, retryAfterMs) }),
    });
  }

  async function spendable(siteId: string): Promise<number> {
    const { balance, underCap } = await creditsLeft(db, siteId, clock.now());
    return Math.min(balance, underCap ?? Infinity);
  }
};

export type PipelineRunActivities = ReturnType<typeof createPipelineRunActivities>;

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
