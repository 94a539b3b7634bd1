import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';
import { pageSql } from '../kernel/page.ts';
import type { Order, PageRequest } from '../kernel/page.ts';
import type { Site } from '../kernel/site.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';
import { keptSince } from './step-retention.ts';
import type { RunArticle } from './stage-execution-rows.ts';
import type { Step } from './stage-result.ts';
import { stages } from './stages.ts';
import type { Stage } from './stages.ts';

/** The most characters of a prompt or an answer that are stored: of a page, one always fits. */
const TEXT_LENGTH = 1_000_000;

/** What an attempt came to. */
export interface Ending {
  /** Taken for it and kept. */
  readonly credits: number;
  /** Null if it succeeded. */
  readonly error: StepError | null;
}

export interface StepError {
  readonly code: string;
  /** For the readers of the run. */
  readonly message: string;
}

/**
 * Stores an attempt that has ended, in the transaction of what it stores otherwise. The row of the article in its run is
 * locked: so attempts are counted one by one, and one whose worker was lost before is not counted.
 */
export async function saveStep(
  tx: Transaction,
  { runId, siteId, articleId }: RunArticle,
  stage: Stage,
  step: Step,
  { credits, error }: Ending,
  now: Date,
): Promise<void> {
  if (step.searchFailed) await saveFailedSearch(tx, { runId, siteId, articleId }, stage, step, now);
  await tx.exec(statement`
    insert into pipeline_steps (
      run_id, article_id, site_id, stage, attempt, status, model, prompt_version, prompt, answer, input_tokens,
      output_tokens, credits, error_code, error_message, started_at, created_at
    )
    select ${runId}::uuid, ${articleId}::uuid, ${siteId}::uuid, ${stage}::text, coalesce(max(attempt), 0) + 1,
      ${error === null ? 'succeeded' : 'failed'}::text, ${step.model}::text, ${step.promptVersion}::int,
      ${stored(step.prompt)}::text, ${stored(step.answer)}::text, ${step.inputTokens}::int, ${step.outputTokens}::int,
      ${credits}::int, ${error?.code ?? null}::text, ${error?.message ?? null}::text,
      ${at(step.startedAt)}::timestamptz, ${at(now)}::timestamptz
    from pipeline_steps where run_id = ${runId} and article_id = ${articleId} and stage = ${stage}`);
}

const SEARCH_FAILED = 'SEARCH_FAILED';

/** A failed search is a step of its own, once for a stage however often that is attempted. */
async function saveFailedSearch(
  tx: Transaction,
  of: RunArticle,
  stage: Stage,
  { searchFailed, ...step }: Step,
  now: Date,
): Promise<void> {
  const known = await tx.exec(statement`
    select from pipeline_steps
    where run_id = ${of.runId} and article_id = ${of.articleId} and stage = ${stage} and error_code = ${SEARCH_FAILED}`);
  if (known > 0) return;
  const none = { promptVersion: null, prompt: null, answer: null, inputTokens: null, outputTokens: null };
  const error = { code: SEARCH_FAILED, message: searchFailed ?? '' };
  await saveStep(tx, of, stage, { ...step, ...none, model: null }, { credits: 0, error }, now);
}

const stored = (text: string | null): string | null => text && text.slice(0, TEXT_LENGTH).toWellFormed();

export const stepStatuses = ['succeeded', 'failed'] as const;

const stepRow = z.object({
  run_id: z.string(),
  article_id: z.string(),
  stage: z.enum(stages),
  attempt: z.number(),
  status: z.enum(stepStatuses),
  model: z.string().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** Null of steps of a version that did not store it, as with `started_at`. */
  credits: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  prompt: z.string().nullable(),
  answer: z.string().nullable(),
  started_at: timestamp.nullable(),
  finished_at: timestamp,
});

export type RecordedStep = z.infer<typeof stepRow>;

const listedRow = stepRow.extend({ place: z.string() });
type ListedStep = z.infer<typeof listedRow>;
const weighedRow = listedRow.extend({ found: z.number() });

/** Where a step stands among those of its run that ended at the same time. */
const place = sql.fragment`(
  s.article_id || ' ' || array_position(${array([...stages], 'text')}, s.stage) || ' ' || lpad(s.attempt::text, 9, '0')
) collate "C"`;

const oldestFirst: Order<ListedStep> = {
  columns: [sql.fragment`s.created_at`, place],
  direction: 'asc',
  positionOf: (row) => ({ key: row.finished_at.toISOString(), id: row.place }),
};

const runRow = z.object({ id: z.string() });

/**
 * A page of a run's steps, oldest first, as long as they are kept.
 *
 * @param withTexts whether prompts and answers are read, too
 * @param write serializes a step as JSON
 * @throws ServiceError NOT_FOUND
 */
export async function listSteps(
  db: Queryable,
  site: Site,
  runId: string,
  request: PageRequest,
  { withTexts, now }: { readonly withTexts: boolean; readonly now: Date },
  write: (step: RecordedStep) => string,
): Promise<WeighedPage> {
  const run = await db.maybeOne(sql.type(runRow)`
    select id from pipeline_runs where id = ${runId} and site_id = ${site.id}`);
  if (run === null) throw notFound('pipeline run');
  const texts = withTexts
    ? sql.fragment`s.prompt, s.answer`
    : sql.fragment`null::text as prompt, null::text as answer`;
  return readWeighedPage<ListedStep>(
    { key: site.cursorKey, query: `pipeline/runs/${runId}/steps` },
    request,
    (position, count) => {
      const { after, order } = pageSql(oldestFirst, position);
      const rows = sql.fragment`
        select s.run_id, s.article_id, s.stage, s.attempt, s.status, s.model, s.input_tokens, s.output_tokens, s.credits,
          case when s.error_code is not null
            then jsonb_build_object('code', s.error_code, 'message', s.error_message) end as error,
          ${texts}, s.started_at, s.created_at as finished_at, ${place} as place
        from pipeline_steps s
        where s.run_id = ${runId} and s.created_at >= ${at(keptSince(now))} and ${after}
        order by ${order} limit ${count}`;
      const weight = sql.fragment`coalesce(octet_length(a.prompt), 0) + coalesce(octet_length(a.answer), 0)`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, sql.fragment`a.finished_at, a.place`, weight)}`);
    },
    oldestFirst.positionOf,
    write,
  );
}
