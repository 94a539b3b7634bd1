import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, json, sql, statement } from '../../db/sql.ts';
import { articleColumns, articleRow, changed } from '../articles/article.ts';
import type { Article, ArticleChanges, ArticleStatus } from '../articles/article.ts';
import { stages } from './stages.ts';
import type { Stage } from './stages.ts';
import type { StageResult } from './stage-result.ts';
import { plan } from './writer.ts';

/** One article of one run. */
export interface RunArticle {
  readonly runId: string;
  readonly siteId: string;
  readonly articleId: string;
}

const memory = z.object({
  keywords: z.array(z.string()),
  source_url: z.string().nullable(),
  source_text: z.string().nullable(),
  outline: plan.nullable(),
  stage: z.enum(stages).nullable(),
});

/** What the pipeline has found out about an article. */
export type Memory = z.infer<typeof memory>;

const stored = articleRow.extend({ memory });

/** An article and what the pipeline knows of it; null once it has been deleted. */
export async function readArticle(
  tx: Transaction,
  articleId: string,
): Promise<{ readonly article: Article; readonly memory: Memory } | null> {
  const row = await tx.maybeOne(sql.type(stored)`
    select ${articleColumns}, jsonb_build_object(
      'keywords', p.keywords, 'source_url', p.source_url, 'source_text', p.source_text, 'outline', p.outline,
      'stage', p.stage
    ) as memory
    from articles a join pipeline_articles p on p.article_id = a.id
    where a.id = ${articleId}`);
  if (row === null) return null;
  const { memory: known, ...article } = row;
  return { article, memory: known };
}

const holding = z.object({ held: z.boolean(), open_stage: z.enum(stages).nullable() });

/**
 * Locks an article's row in its run until the transaction ends. Where the database came back from a backup that knows
 * nothing of the run, nothing is held.
 */
export async function lockHolding(
  tx: Transaction,
  { runId, articleId }: RunArticle,
): Promise<z.infer<typeof holding>> {
  const found = await tx.maybeOne(sql.type(holding)`
    select held, open_stage from pipeline_run_articles
    where run_id = ${runId} and article_id = ${articleId} for no key update`);
  return found ?? { held: false, open_stage: null };
}

const openStage = z.object({ articleId: z.string(), stage: z.enum(stages) });

/** Locks the rows of a run's articles whose stage has been charged and is not done. */
export const listOpenStages = (
  tx: Transaction,
  runId: string,
): Promise<readonly z.infer<typeof openStage>[]> =>
  tx.any(sql.type(openStage)`
    select article_id as "articleId", open_stage as stage from pipeline_run_articles
    where run_id = ${runId} and open_stage is not null order by position for no key update`);

/** What becomes of an article's row in its run; what is left out stays. */
export interface HoldingChanges {
  readonly openStage: Stage | null;
  readonly done?: Stage;
  readonly held?: boolean;
  readonly failed?: boolean;
  readonly error?: string | null;
}

export async function updateHolding(
  tx: Transaction,
  { runId, articleId }: RunArticle,
  { openStage, done, held = true, failed = false, error }: HoldingChanges,
): Promise<void> {
  await tx.exec(statement`
    update pipeline_run_articles set open_stage = ${openStage}, stage = coalesce(${done ?? null}, stage),
      stages_done = stages_done + ${done === undefined ? 0 : 1}, held = ${held}, failed = ${failed},
      error = nullif(concat_ws(' ', error, ${error ?? null}::text), '')
    where run_id = ${runId} and article_id = ${articleId}`);
}

/** Moves an article to a status, with what a stage wrote. */
export async function writeArticle(
  tx: Transaction,
  current: Article,
  status: ArticleStatus,
  changes: ArticleChanges,
  now: Date,
): Promise<void> {
  const next = changed(current, { ...changes, status }, now);
  await tx.exec(statement`
    update articles set status = ${next.status}, content = ${next.content}, excerpt = ${next.excerpt},
      seo_title = ${next.seo_title}, seo_description = ${next.seo_description},
      seo_keywords = ${json(next.seo_keywords)}, faqs = ${json(next.faqs)},
      key_takeaways = ${json(next.key_takeaways)}, howto_steps = ${json(next.howto_steps)},
      comparison = ${json(next.comparison)}, version = ${next.version},
      updated_at = ${at(next.updated_at)}
    where id = ${current.id}`);
}

/** Notes what a stage found out, and what was asked of the writer for it. */
export async function remember(
  tx: Transaction,
  { runId, siteId, articleId }: RunArticle,
  stage: Stage,
  { score, sourceText, outline: planned, step }: StageResult,
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    update pipeline_articles set stage = ${stage}, score = coalesce(${score ?? null}, score),
      source_text = coalesce(${sourceText ?? null}, source_text), outline = coalesce(${json(planned)}::jsonb, outline)
    where article_id = ${articleId}`);
  await tx.exec(statement`
    insert into pipeline_steps (
      run_id, article_id, site_id, stage, prompt_version, prompt, answer, input_tokens, output_tokens, created_at
    ) values (
      ${runId}, ${articleId}, ${siteId}, ${stage}, ${step.promptVersion}, ${step.prompt}, ${step.answer},
      ${step.inputTokens}, ${step.outputTokens}, ${at(now)}
    )`);
}
