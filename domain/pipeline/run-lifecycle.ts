import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { articleStatuses } from '../articles/row.ts';
import type { Change } from '../audit/change.ts';
import { giveBackItems } from '../content-plan/take.ts';
import { recordEvent } from '../events/events.ts';
import { askToEnd, hasEnded, outcomeOf, SILENCE_MS } from '../paid-work/paid-work.ts';
import type { StopReason } from '../paid-work/paid-work.ts';
import { tellStarter } from '../notifications/notify.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { getRun, getRunForUpdate } from './run.ts';
import { presentRun } from './present.ts';
import type { Run, WriterName } from './run.ts';
import { costFrom, nextStage, stages } from './stages.ts';
import { refundOpenStages } from './stage-execution.ts';

const allFailedRow = z.object({ all_failed: z.boolean() });

const remaining = z.object({
  article_id: z.string(),
  status: z.enum(articleStatuses).nullable(),
  stage: z.enum(stages).nullable(),
});

/** An article that a run still has to process. */
export interface Remaining {
  readonly articleId: string;
  /** The cost of its remaining stages, in credits. */
  readonly cost: number;
}

/**
 * Marks a run as running.
 *
 * @param writer the kind of writer that the worker uses
 * @returns the run's remaining articles, in its order; null if the run has ended
 */
export async function beginRun(
  tx: Transaction,
  runId: string,
  writer: WriterName,
  now: Date,
): Promise<Remaining[] | null> {
  const found = await tx.exec(statement`
    update pipeline_runs set status = 'running', writer = ${writer}, started_at = coalesce(started_at, ${at(now)})
    where id = ${runId} and status in ('queued', 'running')`);
  if (found === 0) return null;
  const rows = await tx.any(sql.type(remaining)`
    select ra.article_id, a.status, p.stage from pipeline_run_articles ra
    left join articles a on a.id = ra.article_id left join pipeline_articles p on p.article_id = ra.article_id
    where ra.run_id = ${runId} and ra.held order by ra.position`);
  return rows.map(({ article_id: articleId, status, stage }) => ({
    articleId,
    cost: status === null ? 0 : costFrom(nextStage({ status, stage })),
  }));
}

/**
 * Asks a run to end at its next stage boundary; one that has not started ends immediately.
 *
 * @throws ServiceError NOT_FOUND, CONFLICT for a run that has ended
 */
export async function cancelRun(change: Change, runId: string): Promise<Run> {
  const { tx, now } = change;
  const siteId = change.site.id;
  const run = await getRunForUpdate(tx, siteId, runId);
  await askToEnd(change, run, {
    noun: 'run',
    table: sql.fragment`pipeline_runs`,
    action: 'pipeline.cancel',
    type: 'pipeline_run',
  });
  signalWorkflow(tx, 'pipeline-run', { runId, siteId, signal: 'cancel' }, now);
  if (run.status === 'queued') await endRun(tx, siteId, runId, 'cancelled', now);
  return getRun(tx, siteId, runId);
}

/**
 * Ends a run: releases its articles, and records its event. Does nothing if it has ended.
 *
 * @param stopped null if every article was completed or failed
 */
export async function endRun(
  tx: Transaction,
  siteId: string,
  runId: string,
  stopped: StopReason | null,
  now: Date,
): Promise<Run> {
  const before = await getRunForUpdate(tx, siteId, runId);
  if (hasEnded(before)) return before;
  // A stage is only open here if the workflow was terminated in Temporal, or lost.
  await refundOpenStages(tx, { runId, siteId }, now);
  const { all_failed: allFailed } = await tx.one(sql.type(allFailedRow)`
    select coalesce(bool_and(failed), false) as all_failed from pipeline_run_articles where run_id = ${runId}`);
  const [status, reason] = outcomeOf(stopped ?? (allFailed ? 'provider_unavailable' : null));
  await tx.exec(statement`update pipeline_run_articles set held = false where run_id = ${runId} and held`);
  await tx.exec(statement`
    update pipeline_runs set status = ${status}, reason = ${reason}, finished_at = ${at(now)} where id = ${runId}`);
  if (status === 'cancelled' || status === 'failed') await giveBackItems(tx, runId, now);
  const run = await getRun(tx, siteId, runId);
  recordEvent(tx, siteId, 'pipeline_run.finished', presentRun(run), now);
  tellStarter(tx, 'pipeline_run', siteId, run, now);
  return run;
}

/** Starts runs again that never started, or that are running without progress. */
export function rescueRuns(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const silent = at(new Date(now.getTime() - SILENCE_MS));
  const lost = sql.fragment`
    select r.id, r.site_id from pipeline_runs r
    where (r.status = 'queued' and r.created_at < ${at(new Date(now.getTime() - graceMs))})
      or (
        r.status = 'running' and r.started_at < ${silent}
        and not exists (select from pipeline_steps s where s.run_id = r.id and s.created_at >= ${silent})
      )
    order by r.created_at`;
  return rescue(tx, 'pipeline-run', 'start', lost, now);
}
