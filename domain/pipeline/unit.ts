import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { lockArticle } from '../articles/article.ts';
import type { Article } from '../articles/article.ts';
import { chargeCredits, refundCredits } from '../credits.ts';
import { keepEdits } from './keep-edits.ts';
import type { StageResult } from './stage-result.ts';
import { nextStage, stageCost } from './stages.ts';
import type { Stage } from './stages.ts';
import {
  listOpenStages,
  lockHolding,
  readArticle,
  remember,
  updateHolding,
  writeArticle,
} from './unit-rows.ts';
import type { Memory, RunArticle } from './unit-rows.ts';

/** A stage that has been paid for, with what it works on. */
export interface OpenUnit {
  readonly stage: Stage;
  /** As the stage read it: what is written must not undo what a person wrote since. */
  readonly article: Article;
  readonly memory: Memory;
}

/** Why a run ended before everything was done. */
export type StopReason = 'insufficient_credits' | 'spend_cap_reached' | 'cancelled';

export type Opening =
  | { readonly kind: 'open'; readonly unit: OpenUnit }
  /** The run has nothing left to do on the article. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

const runState = z.object({ going: z.boolean() });

/**
 * The boundary before a stage: unless the run is to end, takes what the article's next stage costs (decisions 10).
 * One that has been opened before, by an attempt that died, is not charged again.
 */
export async function openUnit(tx: Transaction, of: RunArticle, now: Date): Promise<Opening> {
  const holding = await lockHolding(tx, of);
  const found = await readArticle(tx, of.articleId);
  const stage = found === null || !holding.held ? null : nextOf(found);
  if (holding.open_stage === null) {
    const run = await tx.maybeOne(sql.type(runState)`
      select status = 'running' and cancel_requested_at is null as going from pipeline_runs where id = ${of.runId}`);
    if (!run?.going) return { kind: 'stopped', reason: 'cancelled' };
    if (stage !== null) {
      const outcome = await charge(tx, of, stage, now);
      if (outcome !== 'charged') return { kind: 'stopped', reason: outcome };
    }
  } else if (stage !== holding.open_stage) {
    await withdraw(tx, of, holding.open_stage, now);
    return { kind: 'finished' };
  }
  if (found === null || stage === null) {
    await updateHolding(tx, of, { openStage: null, held: false });
    return { kind: 'finished' };
  }
  return { kind: 'open', unit: { stage, ...found } };
}

async function charge(tx: Transaction, of: RunArticle, stage: Stage, now: Date) {
  const outcome = await chargeCredits(tx, { ...of, stage, cost: stageCost[stage] }, now);
  if (outcome === 'charged') {
    await updateHolding(tx, of, { openStage: stage });
    await countSpent(tx, of.runId, stageCost[stage]);
  }
  return outcome;
}

/**
 * Writes down what a stage came to. The fields that a person has changed since the stage read the article stay as
 * they are, and the run names those that were left out. Done twice, or by an attempt that was given up, it does nothing.
 *
 * @returns whether the run has more to do on the article
 */
export async function closeUnit(
  tx: Transaction,
  of: RunArticle,
  { stage, article: asRead }: OpenUnit,
  result: StageResult,
  now: Date,
): Promise<boolean> {
  await lockArticle(tx, of.articleId);
  const holding = await lockHolding(tx, of);
  if (holding.open_stage !== stage) return holding.held;
  const found = await readArticle(tx, of.articleId);
  if (found === null || nextOf(found) !== stage) {
    await withdraw(tx, of, stage, now);
    return false;
  }
  const { changes, leftOut } = keepEdits(asRead, found.article, result.changes);
  const { status, note } = result.destination({ ...found.article, ...changes });
  await writeArticle(tx, found.article, status, changes, now);
  await remember(tx, of, stage, result, now);
  const held = nextStage({ status, stage }) !== null;
  const error = leftOut.length === 0 ? note : [keptWords(stage, leftOut), note].filter(Boolean).join(' ');
  await updateHolding(tx, of, { openStage: null, done: stage, held, error });
  return held;
}

const keptWords = (stage: Stage, leftOut: readonly string[]): string =>
  `The article was changed while the stage ${stage} ran, and the change was kept. Left out of the stage's result: ${leftOut.join(', ')}.`;

/**
 * Gives up the stage an article is at, which failed for good: the article is failed, and what the stage was charged
 * is given back. A stage that could not even be opened has cost nothing.
 *
 * @param message for the people who read the run
 */
export async function failUnit(tx: Transaction, of: RunArticle, message: string, now: Date): Promise<void> {
  await lockArticle(tx, of.articleId);
  const { open_stage: open, held } = await lockHolding(tx, of);
  if (!held) return;
  const found = await readArticle(tx, of.articleId);
  const next = found === null ? null : nextOf(found);
  if (open !== null) await refund(tx, of, open, now);
  if (found !== null && next !== null && (open === null || open === next))
    await writeArticle(tx, found.article, 'failed', {}, now);
  await updateHolding(tx, of, { openStage: null, held: false, failed: true, error: message });
}

/** Gives back what was charged for stages that nobody will carry out any more, because their run ends. */
export async function withdrawOpenUnits(
  tx: Transaction,
  run: Pick<RunArticle, 'runId' | 'siteId'>,
  now: Date,
): Promise<void> {
  for (const { articleId, stage } of await listOpenStages(tx, run.runId)) {
    const of = { ...run, articleId };
    await refund(tx, of, stage, now);
    await updateHolding(tx, of, { openStage: null, held: false });
  }
}

/** A stage whose article was deleted or published meanwhile: nobody wants its result, so nobody pays for it. */
async function withdraw(tx: Transaction, of: RunArticle, stage: Stage, now: Date): Promise<void> {
  await refund(tx, of, stage, now);
  const error = `The article left the pipeline while the stage ${stage} ran.`;
  await updateHolding(tx, of, { openStage: null, held: false, error });
}

async function refund(tx: Transaction, of: RunArticle, stage: Stage, now: Date): Promise<void> {
  const given = await refundCredits(tx, { ...of, stage }, now);
  await countSpent(tx, of.runId, -given);
}

const countSpent = (tx: Transaction, runId: string, credits: number): Promise<number> =>
  tx.exec(
    statement`update pipeline_runs set credits_spent = credits_spent + ${credits}::bigint where id = ${runId}`,
  );

const nextOf = ({ article, memory }: { article: Article; memory: Memory }): Stage | null =>
  nextStage({ status: article.status, stage: memory.stage });
