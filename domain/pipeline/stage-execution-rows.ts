import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { json, sql, statement } from '../../db/sql.ts';
import { articleColumns, articleRow } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';
import { stages } from './stages.ts';
import type { Stage } from './stages.ts';
import type { StageResult } from './stage-result.ts';
import type { Suggestions } from './suggestions.ts';
import { plan } from './writer.ts';

/** One article of one run. */
export interface RunArticle {
  readonly runId: string;
  readonly siteId: string;
  readonly articleId: string;
}

const memory = z.object({
  keywords: z.array(z.string()),
  /** What people say about the topic. */
  notes: z.string().nullable(),
  source_url: z.string().nullable(),
  source_urls: z.array(z.string()),
  source_text: z.string().nullable(),
  /** The text of each source as it was read. */
  extracts: z.array(z.object({ url: z.string(), text: z.string() })),
  outline: plan.nullable(),
  stage: z.enum(stages).nullable(),
});

/** The pipeline's notes on an article. */
export type Memory = z.infer<typeof memory>;

const stored = articleRow.extend({ memory });

/** Reads an article and the pipeline's notes on it; null if it was deleted. */
export async function readArticleAndMemory(
  tx: Transaction,
  articleId: string,
): Promise<{ readonly article: Article; readonly memory: Memory } | null> {
  const row = await tx.maybeOne(sql.type(stored)`
    select ${articleColumns}, jsonb_build_object(
      'keywords', p.keywords, 'notes', p.notes, 'source_url', p.source_url, 'source_urls', p.source_urls,
      'source_text', p.source_text, 'extracts', p.extracts, 'outline', p.outline, 'stage', p.stage
    ) as memory
    from articles a join pipeline_articles p on p.article_id = a.id
    where a.id = ${articleId}`);
  if (row === null) return null;
  const { memory: known, ...article } = row;
  return { article, memory: known };
}

const runArticleRow = z.object({ held: z.boolean(), open_stage: z.enum(stages).nullable() });

/**
 * Locks an article's row in its run until the transaction ends. If the row is missing because the database was restored
 * from an older backup, the article counts as released.
 */
export async function lockRunArticle(
  tx: Transaction,
  { runId, articleId }: RunArticle,
): Promise<z.infer<typeof runArticleRow>> {
  const found = await tx.maybeOne(sql.type(runArticleRow)`
    select held, open_stage from pipeline_run_articles
    where run_id = ${runId} and article_id = ${articleId} for no key update`);
  return found ?? { held: false, open_stage: null };
}

const openStageRow = z.object({ articleId: z.string(), stage: z.enum(stages) });

/** Locks the rows of a run's articles whose stage has been charged but not completed. */
export const listOpenStages = (
  tx: Transaction,
  runId: string,
): Promise<readonly z.infer<typeof openStageRow>[]> =>
  tx.any(sql.type(openStageRow)`
    select article_id as "articleId", open_stage as stage from pipeline_run_articles
    where run_id = ${runId} and open_stage is not null order by position for no key update`);

/** Changes to an article's row in its run; members that are left out stay unchanged. */
export interface RunArticleChanges {
  readonly openStage: Stage | null;
  readonly done?: Stage;
  readonly held?: boolean;
  readonly failed?: boolean;
  readonly error?: string | null;
}

export async function updateRunArticle(
  tx: Transaction,
  { runId, articleId }: RunArticle,
  { openStage, done, held, failed, error }: RunArticleChanges,
): Promise<void> {
  await tx.exec(statement`
    update pipeline_run_articles set open_stage = ${openStage},
      attempts_open = ${openStage === null ? 0 : 1}, writer_failures = 0, stage = coalesce(${done ?? null}, stage),
      stages_done = stages_done + ${done === undefined ? 0 : 1}, held = coalesce(${held ?? null}, held),
      failed = coalesce(${failed ?? null}, failed),
      error = nullif(concat_ws(' ', error, ${error ?? null}::text), '')
    where run_id = ${runId} and article_id = ${articleId}`);
}

/** Stores the results of a stage. */
export async function saveStageResult(
  tx: Transaction,
  { articleId }: RunArticle,
  stage: Stage,
  { score, duplicateOf, sourceText, extracts, outline: planned }: StageResult,
  suggested: Suggestions | null,
): Promise<void> {
  await tx.exec(statement`
    update pipeline_articles set stage = ${stage}, score = coalesce(${score ?? null}, score),
      source_text = case when ${stage} = 'extract' then ${sourceText ?? null}::text else source_text end,
      extracts = coalesce(${json(extracts)}::jsonb, extracts), outline = coalesce(${json(planned)}::jsonb, outline),
      duplicate_of = case when ${stage} = 'classify' then ${duplicateOf ?? null}::uuid else duplicate_of end,
      suggestions = case when ${stage} = 'improve' then ${json(suggested)}::jsonb else suggestions end,
      origin_known = origin_known or ${stage === 'generate'}::boolean
    where article_id = ${articleId}`);
}
