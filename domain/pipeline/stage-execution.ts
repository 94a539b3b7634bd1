import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { mayGoOn } from '../access/standing.ts';
import { changed, moveStatus, lockArticle } from '../articles/article.ts';
import { writtenOrigin } from '../articles/origin.ts';
import { recordRevision } from '../articles/record-revision.ts';
import { replaceTags } from '../articles/references.ts';
import { updateRow } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';
import type { Actor } from '../audit/record.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { lockBalance } from '../usage/credits.ts';
import { chargeCredits, refundCredits } from '../billing/charge.ts';
import { saveStep } from './steps.ts';
import { saveClaims } from './claims/store.ts';
import { keepEdits } from './keep-edits.ts';
import type { StageResult } from './stage-result.ts';
import { withPages } from './sources.ts';
import { nextStage, stageCost } from './stages.ts';
import type { Stage } from './stages.ts';
import { identify, termsFor } from './suggestions.ts';
import { WORKERS_LOST } from '../paid-work/paid-work.ts';
import type { StopReason } from '../paid-work/paid-work.ts';
import { countFailedCalls, FAILED_CALLS, noteAttempt } from './tries.ts';
import {
  listOpenStages,
  lockRunArticle,
  readArticleAndMemory,
  saveStageResult,
  updateRunArticle,
} from './stage-execution-rows.ts';
import type { Memory, RunArticle } from './stage-execution-rows.ts';

/** A stage that has been paid for, with its input. */
export interface StageExecution {
  readonly stage: Stage;
  /** The article as the stage read it: its result must not overwrite later edits by people. */
  readonly article: Article;
  readonly memory: Memory;
}

export type Opening =
  | { readonly kind: 'open'; readonly execution: StageExecution }
  /** The run has nothing left to do on the article. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** So many workers were lost during the stage that it fails. */
  | { readonly kind: 'lost'; readonly workers: number };

/** The writer of a stage. */
const pipeline: Actor = { kind: 'system', name: 'pipeline' };

const runState = z.object({ going: z.boolean() });

/**
 * The boundary before a stage: charges the article's next stage, unless the run has to end (docs/spec/rulings.md, 10).
 * A stage that an earlier attempt opened is not charged again.
 */
export async function openStage(tx: Transaction, runArticle: RunArticle, now: Date): Promise<Opening> {
  const row = await lockRunArticle(tx, runArticle);
  const found = await readArticleAndMemory(tx, runArticle.articleId);
  const stage = found === null || !row.held ? null : nextOf(found);
  if (row.open_stage === null) {
    const run = await tx.maybeOne(sql.type(runState)`
      select r.status = 'running' and r.cancel_requested_at is null
        and ${mayGoOn(sql.fragment`r.key_id`, 'pipeline.run', now)} as going
      from pipeline_runs r where r.id = ${runArticle.runId}`);
    if (!run?.going) return { kind: 'stopped', reason: 'cancelled' };
    if (stage !== null) {
      const outcome = await charge(tx, runArticle, stage, now);
      if (outcome !== 'charged') return { kind: 'stopped', reason: outcome };
    }
  } else if (stage !== row.open_stage) {
    await withdraw(tx, runArticle, row.open_stage, 0, now);
    return { kind: 'finished' };
  } else {
    const workers = await noteAttempt(tx, runArticle);
    if (workers >= WORKERS_LOST) return { kind: 'lost', workers };
  }
  if (found === null || stage === null) {
    await updateRunArticle(tx, runArticle, { openStage: null, held: false });
    return { kind: 'finished' };
  }
  return { kind: 'open', execution: { stage, ...found } };
}

async function charge(tx: Transaction, runArticle: RunArticle, stage: Stage, now: Date) {
  const outcome = await chargeCredits(tx, { ...runArticle, stage, cost: stageCost[stage] }, now);
  if (outcome === 'charged') {
    await updateRunArticle(tx, runArticle, { openStage: stage });
    await countSpent(tx, runArticle.runId, stageCost[stage]);
  }
  return outcome;
}

/**
 * Stores the result of a stage. Fields that a person has changed since the stage read the article are kept, and the run
 * reports which were left out. Idempotent; a late call of a failed attempt does nothing.
 *
 * @returns whether the run has more to do on the article
 */
export async function closeStage(
  tx: Transaction,
  runArticle: RunArticle,
  { stage, article: asRead }: StageExecution,
  result: StageResult,
  now: Date,
): Promise<boolean> {
  await lockArticle(tx, runArticle.articleId);
  const row = await lockRunArticle(tx, runArticle);
  if (row.open_stage !== stage) return row.held;
  const found = await readArticleAndMemory(tx, runArticle.articleId);
  if (found === null || nextOf(found) !== stage) {
    // The answer of the model is not used.
    const { message, charged } = await withdraw(
      tx,
      runArticle,
      stage,
      result.step.answer === null ? 0 : 1,
      now,
    );
    const ending = { credits: charged ? stageCost[stage] : 0, error: { code: 'CONFLICT', message } };
    await saveStep(tx, runArticle, stage, result.step, ending, now);
    return false;
  }
  const suggested = result.suggestions ? await identify(tx, runArticle.siteId, result.suggestions) : null;
  const { changes: kept, leftOut } = keepEdits(asRead, found.article, {
    ...result.changes,
    ...termsFor(found.article, suggested),
  });
  const changes = result.pages
    ? { ...kept, sources: withPages(found.article.sources, result.pages, now) }
    : kept;
  const { status, note } = result.destination({ ...found.article, ...changes });
  // Of an article that an earlier version wrote, its origin may not be stored yet (origins-of-earlier.ts).
  const origin = stage === 'generate' ? writtenOrigin(found.article) : found.article.origin;
  const article = changed(found.article, { ...changes, status, origin }, now);
  updateRow(tx, found.article, article);
  replaceTags(tx, runArticle.siteId, article.id, article.tag_ids, found.article.tag_ids);
  moveCounts(tx, runArticle.siteId, found.article, article);
  await recordRevision({ tx, actor: pipeline, now }, runArticle.siteId, found.article, article);
  await saveStageResult(tx, runArticle, stage, result, suggested);
  if (result.claims) await saveClaims(tx, runArticle.siteId, found.article, article, result.claims);
  await saveStep(tx, runArticle, stage, result.step, { credits: stageCost[stage], error: null }, now);
  const held = nextStage({ status, stage }) !== null;
  const error = leftOut.length === 0 ? note : [keptWords(stage, leftOut), note].filter(Boolean).join(' ');
  await updateRunArticle(tx, runArticle, { openStage: null, done: stage, held, error });
  return held;
}

const keptWords = (stage: Stage, leftOut: readonly string[]): string =>
  `The article was changed while the stage ${stage} ran, and the change was kept. Left out of the stage's result: ${leftOut.join(', ')}.`;

/**
 * Fails the article at its current stage, and refunds the charge of that stage. A stage that could not even be opened
 * has cost nothing.
 *
 * @param message for the readers of the run
 * @param options charged: nothing is refunded; stage: nothing happens if another one is open by now
 */
export async function failStage(
  tx: Transaction,
  runArticle: RunArticle,
  message: string,
  now: Date,
  { charged = false, stage }: { readonly charged?: boolean; readonly stage?: Stage | undefined } = {},
): Promise<void> {
  await lockArticle(tx, runArticle.articleId);
  const { open_stage: open, held } = await lockRunArticle(tx, runArticle);
  if (!held || (stage !== undefined && stage !== open)) return;
  const found = await readArticleAndMemory(tx, runArticle.articleId);
  const next = found === null ? null : nextOf(found);
  if (open !== null && !charged) await refund(tx, runArticle, open, now);
  if (found !== null && next !== null && (open === null || open === next))
    moveStatus(tx, found.article, { status: 'failed' }, now);
  await updateRunArticle(tx, runArticle, { openStage: null, held: false, failed: true, error: message });
}

/** Refunds stages that will not be completed, because their run ends. */
export async function refundOpenStages(
  tx: Transaction,
  run: Pick<RunArticle, 'runId' | 'siteId'>,
  now: Date,
): Promise<void> {
  for (const { articleId, stage } of await listOpenStages(tx, run.runId)) {
    const runArticle = { ...run, articleId };
    await refund(tx, runArticle, stage, now);
    await updateRunArticle(tx, runArticle, { openStage: null, held: false });
  }
}

/**
 * Ends a stage whose article was deleted or published meanwhile. It is refunded, unless the Site has used up its failed
 * calls of the month.
 *
 * @param calls that a model answered for it
 */
async function withdraw(
  tx: Transaction,
  runArticle: RunArticle,
  stage: Stage,
  calls: number,
  now: Date,
): Promise<{ readonly message: string; readonly charged: boolean }> {
  // Locks the balance before the row of the month, in the same order as charges.
  await lockBalance(tx, runArticle.siteId);
  const { usedUp } = await countFailedCalls(tx, runArticle.siteId, calls, now);
  if (!usedUp) await refund(tx, runArticle, stage, now);
  const error = `The article left the pipeline while the stage ${stage} ran.${usedUp ? ` ${USED_UP}` : ''}`;
  await updateRunArticle(tx, runArticle, { openStage: null, held: false, error });
  return { message: error, charged: usedUp };
}

/** For the readers of the run. */
export const USED_UP = `The stage was charged all the same: the Site has used up its ${FAILED_CALLS} failed calls of the month.`;

async function refund(tx: Transaction, runArticle: RunArticle, stage: Stage, now: Date): Promise<void> {
  const given = await refundCredits(tx, { ...runArticle, stage }, now);
  await countSpent(tx, runArticle.runId, -given);
}

const countSpent = (tx: Transaction, runId: string, credits: number): Promise<number> =>
  tx.exec(
    statement`update pipeline_runs set credits_spent = credits_spent + ${credits}::bigint where id = ${runId}`,
  );

const nextOf = ({ article, memory }: { article: Article; memory: Memory }): Stage | null =>
  nextStage({ status: article.status, stage: memory.stage });
