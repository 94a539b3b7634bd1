import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { firstOfMonth } from '../kernel/period.ts';
import type { RunArticle } from './stage-execution-rows.ts';
import type { Stage } from './stages.ts';

/** How often a stage is tried before a failing writer fails it. */
export const WRITER_TRIES = 5;

/**
 * How many calls without a usable answer a Site has in a month (UTC). They cost the operator as much as useful ones,
 * and a Site can cause them by its templates. When they are used up, a failing stage is tried once and not refunded.
 */
export const FAILED_CALLS = 100;

const attempts = z.object({ attempts_open: z.number() });

/** Records the start of another attempt at an open stage. @returns how many workers were lost during it before */
export async function noteAttempt(tx: Transaction, { runId, articleId }: RunArticle): Promise<number> {
  const { attempts_open: open } = await tx.one(sql.type(attempts)`
    update pipeline_run_articles set attempts_open = attempts_open + 1
    where run_id = ${runId} and article_id = ${articleId} returning attempts_open`);
  return open - 1;
}

/**
 * Records that an attempt has ended, successfully or not: its worker was not lost.
 *
 * @param stage of the attempt, if it got that far; when another stage is open by now, nothing is recorded
 * @returns whether it is open, and the row locked
 */
export async function noteEnd(
  tx: Transaction,
  { runId, articleId }: RunArticle,
  stage: Stage | null,
): Promise<boolean> {
  const found = await tx.exec(statement`
    update pipeline_run_articles set attempts_open = greatest(0, attempts_open - 1)
    where run_id = ${runId} and article_id = ${articleId} and open_stage = coalesce(${stage}::text, open_stage)`);
  return found > 0;
}

/** The state of a Site's failed calls of the month. */
export interface FailedCalls {
  readonly usedUp: boolean;
  /** Whether the calls that were just counted used them up. */
  readonly justNow: boolean;
}

const failures = z.object({ writer_failures: z.number() });

/**
 * Records that the writer has failed at a stage, if it is still the open one.
 *
 * @param calls of this try, without a usable answer
 */
export async function noteWriterFailure(
  tx: Transaction,
  runArticle: RunArticle,
  stage: Stage | null,
  calls: number,
  now: Date,
): Promise<FailedCalls & { readonly failures: number; readonly isOpen: boolean }> {
  await noteEnd(tx, runArticle, stage);
  const row = await tx.maybeOne(sql.type(failures)`
    update pipeline_run_articles set writer_failures = writer_failures + 1
    where run_id = ${runArticle.runId} and article_id = ${runArticle.articleId}
      and open_stage = coalesce(${stage}::text, open_stage)
    returning writer_failures`);
  return {
    failures: row?.writer_failures ?? 0,
    isOpen: row !== null,
    ...(await countFailedCalls(tx, runArticle.siteId, calls, now)),
  };
}

const counted = z.object({ failed_calls: z.number() });

export async function countFailedCalls(
  tx: Transaction,
  siteId: string,
  calls: number,
  now: Date,
): Promise<FailedCalls> {
  const { failed_calls: total } = await tx.one(sql.type(counted)`
    insert into site_months as m (site_id, month, failed_calls)
    values (${siteId}, ${firstOfMonth(now)}::date, ${calls}::bigint)
    on conflict on constraint site_months_pkey do update set failed_calls = m.failed_calls + excluded.failed_calls
    returning failed_calls`);
  return { usedUp: total >= FAILED_CALLS, justNow: total >= FAILED_CALLS && total - calls < FAILED_CALLS };
}
