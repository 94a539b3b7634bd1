import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { enqueue } from '../../db/outbox.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { articleStatuses } from '../articles/article.ts';
import { conflict } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { pipelineRunId } from './create-run.ts';
import { getRun, getRunForChange, hasEnded, presentRun } from './run.ts';
import type { Run, WriterName } from './run.ts';
import { costFrom, nextStage, stages } from './stages.ts';
import { withdrawOpenUnits } from './unit.ts';
import type { StopReason } from './unit.ts';

const allFailedRow = z.object({ all_failed: z.boolean() });

const remaining = z.object({
  article_id: z.string(),
  status: z.enum(articleStatuses).nullable(),
  stage: z.enum(stages).nullable(),
});

/** An article that a run has still to do. */
export interface Remaining {
  readonly articleId: string;
  /** What the rest of it costs, in credits. */
  readonly cost: number;
}

/**
 * Marks a run as running.
 *
 * @param writer who writes, as the worker has it
 * @returns what it has left to do, in its order; null where it has ended
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
 * Asks a run to end at its next stage boundary; one that has not begun ends at once.
 *
 * @throws ServiceError NOT_FOUND, CONFLICT for a run that has ended
 */
export async function cancelRun(tx: Transaction, siteId: string, runId: string, now: Date): Promise<Run> {
  const run = await getRunForChange(tx, siteId, runId);
  if (hasEnded(run)) throw conflict(`The run has ended: it is ${run.status}.`);
  await tx.exec(statement`
    update pipeline_runs set cancel_requested_at = coalesce(cancel_requested_at, ${at(now)}) where id = ${runId}`);
  const payload = { runId, siteId, signal: 'cancel' } as const;
  enqueue(tx, { kind: 'pipeline-run', workflow_id: pipelineRunId(runId), payload }, now);
  if (run.status === 'queued') await endRun(tx, siteId, runId, 'cancelled', now);
  return getRun(tx, siteId, runId);
}

/**
 * Ends a run: it lets go of its articles, and its event is recorded. One that has ended stays as it is.
 *
 * @param stopped null where everything was done, or failed
 */
export async function endRun(
  tx: Transaction,
  siteId: string,
  runId: string,
  stopped: StopReason | null,
  now: Date,
): Promise<Run> {
  const before = await getRunForChange(tx, siteId, runId);
  if (hasEnded(before)) return before;
  // Only where Temporal's own means ended the process, or it was lost, is a stage open here.
  await withdrawOpenUnits(tx, { runId, siteId }, now);
  const { all_failed: allFailed } = await tx.one(sql.type(allFailedRow)`
    select coalesce(bool_and(failed), false) as all_failed from pipeline_run_articles where run_id = ${runId}`);
  const [status, reason] = outcome(stopped, allFailed);
  await tx.exec(statement`update pipeline_run_articles set held = false where run_id = ${runId} and held`);
  await tx.exec(statement`
    update pipeline_runs set status = ${status}, reason = ${reason}, finished_at = ${at(now)} where id = ${runId}`);
  const run = await getRun(tx, siteId, runId);
  recordEvent(tx, siteId, 'pipeline_run.finished', presentRun(run), now);
  return run;
}

function outcome(stopped: StopReason | null, allFailed: boolean): [Run['status'], Run['reason']] {
  if (stopped === 'cancelled') return ['cancelled', 'cancelled'];
  if (stopped !== null) return ['partial', stopped];
  return allFailed ? ['failed', 'provider_unavailable'] : ['completed', null];
}

const queued = z.object({ id: z.string(), site_id: z.string() });

/** A run that has got nowhere for so long has lost its process; the longest waits for a writer are shorter. */
const SILENCE_MS = 60 * 60_000;

/**
 * Starts again what was never begun, and what is running without a sign of life: the net beneath the outbox. A process
 * that does run is not started twice.
 *
 * @returns how many; above zero is a defect
 */
export async function rescueRuns(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const rows = await tx.any(sql.type(queued)`
    select r.id, r.site_id from pipeline_runs r
    where (r.status = 'queued' and r.created_at < ${at(new Date(now.getTime() - graceMs))})
      or (
        r.status = 'running' and r.started_at < ${at(new Date(now.getTime() - SILENCE_MS))}
        and not exists (
          select from pipeline_steps s
          where s.run_id = r.id and s.created_at >= ${at(new Date(now.getTime() - SILENCE_MS))}
        )
      )
    order by r.created_at limit 500`);
  for (const { id, site_id: siteId } of rows) {
    const payload = { runId: id, siteId, signal: 'start' } as const;
    enqueue(tx, { kind: 'pipeline-run', workflow_id: pipelineRunId(id), payload }, now);
  }
  return rows.length;
}
