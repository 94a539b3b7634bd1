import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Clock } from '../domain/clock.ts';
import { creditsLeft } from '../domain/credits.ts';
import { beginRun, endRun } from '../domain/pipeline/run-lifecycle.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Remaining } from '../domain/pipeline/run-lifecycle.ts';
import { closeUnit, failUnit, openUnit } from '../domain/pipeline/unit.ts';
import type { OpenUnit, StopReason } from '../domain/pipeline/unit.ts';
import { costAfter } from '../domain/pipeline/stages.ts';
import type { RunArticle } from '../domain/pipeline/unit-rows.ts';
import { articleGivenUp, runEnded, stageTried, tokensUsed } from '../metrics/pipeline.ts';
import { WriterError } from '../domain/pipeline/writer.ts';
import { perform } from './pipeline/perform.ts';
import type { PerformingPorts } from './pipeline/perform.ts';

export interface PipelinePorts extends PerformingPorts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a run has before it. */
export interface Begun {
  readonly articles: readonly Remaining[];
  /** Credits that the Site can spend. */
  readonly left: number;
}

/** What one stage of one article came to. */
export type Advance =
  | {
      readonly kind: 'done';
      /** What the rest of the article costs; 0 where nothing is left to do on it. */
      readonly costLeft: number;
      /** Credits that the Site can spend. */
      readonly left: number;
    }
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

/** How often a worker shows that it is still at a stage: a writer may take minutes. */
const HEARTBEAT_MS = 5_000;

/** The side effects of a run. Each is safe to run twice: the database decides what is still to be done. */
export const createPipelineActivities = (ports: PipelinePorts) => {
  const { db, clock, log } = ports;
  return {
    /** @returns null where the run has ended already */
    async beginPipelineRun(siteId: string, runId: string): Promise<Begun | null> {
      const articles = await db.transaction((tx) => beginRun(tx, runId, ports.writer.name, clock.now()));
      return articles === null ? null : { articles, left: await spendable(siteId) };
    },

    /** Takes an article through its next stage: pays, has it done, and writes it down. */
    async advanceArticle(of: RunArticle): Promise<Advance> {
      try {
        return await advance(of);
      } catch (error) {
        const { cancellationSignal, info } = Context.current();
        // This worker ends: the stage is another one's, and has not failed.
        if (cancellationSignal.aborted) throw handedBack();
        const { siteId, runId, articleId } = of;
        log.warn({ err: error, site_id: siteId, run_id: runId, article_id: articleId }, 'a stage failed');
        throw asFailure(error, info.attempt);
      }
    },

    /** Gives up the stage an article is at. */
    async failArticle(of: RunArticle, message: string): Promise<void> {
      await db.transaction((tx) => failUnit(tx, of, message, clock.now()));
      articleGivenUp();
    },

    /**
     * @param stopped null where nothing was left to do
     * @returns its status, or `gone` where the database came back from a backup that knows nothing of the run
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

  async function advance(of: RunArticle): Promise<Advance> {
    const opening = await db.transaction((tx) => openUnit(tx, of, clock.now()));
    if (opening.kind !== 'open') return opening;
    const begun = performance.now();
    const { stage } = opening.unit;
    const tried = (outcome: 'done' | 'failed'): void =>
      stageTried(stage, outcome, (performance.now() - begun) / 1_000);
    try {
      const advanced = await work(of, opening.unit);
      tried('done');
      return advanced;
    } catch (error) {
      tried('failed');
      throw error;
    }
  }

  async function work(of: RunArticle, unit: OpenUnit): Promise<Advance> {
    const attempt = { signal: Context.current().cancellationSignal };
    const result = await withHeartbeat(() => perform(ports, of.siteId, unit, attempt));
    const { stage } = unit;
    const { inputTokens, outputTokens } = result.step;
    const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
    log.info({ site_id: of.siteId, run_id: of.runId, stage, ...tokens }, 'a stage is done');
    tokensUsed(inputTokens, outputTokens);
    const more = await db.transaction((tx) => closeUnit(tx, of, unit, result, clock.now()));
    return { kind: 'done', costLeft: more ? costAfter(stage) : 0, left: await spendable(of.siteId) };
  }

  async function spendable(siteId: string): Promise<number> {
    const { balance, underCap } = await creditsLeft(db, siteId, clock.now());
    return Math.min(balance, underCap ?? Infinity);
  }
};

export type PipelineActivities = ReturnType<typeof createPipelineActivities>;

async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const handedBack = (): ApplicationFailure =>
  ApplicationFailure.create({ message: 'the worker ended.', type: 'HandedBack', nonRetryable: false });

/** How often a writer is tried before a stage is given up; what else fails, such as the database, much longer. */
const WRITER_TRIES = 5;
const OTHER_TRIES = 60;

/** Tells Temporal whether, and when, another try is worth it. */
function asFailure(error: unknown, attempt: number): ApplicationFailure {
  if (!(error instanceof WriterError)) {
    const nonRetryable = attempt >= OTHER_TRIES;
    return ApplicationFailure.create({
      message: 'something failed on our side.',
      type: 'StageError',
      nonRetryable,
    });
  }
  const { message, final: isFinal, retryAfterMs } = error;
  return ApplicationFailure.create({
    message,
    type: 'WriterError',
    nonRetryable: isFinal || attempt >= WRITER_TRIES,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.max(1, retryAfterMs) }),
  });
}
