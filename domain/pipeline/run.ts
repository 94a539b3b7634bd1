import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { articleStatuses } from '../articles/row.ts';
import { notFound } from '../kernel/errors.ts';
import { byId, pageSql } from '../kernel/page.ts';
import { workReasons, workStatuses } from '../paid-work/paid-work.ts';
import type { PageRequest } from '../kernel/page.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';
import { stages } from './stages.ts';

/** The writer: a language model, or the built-in writer that needs none (docs/spec/rulings.md, 10). */
export const writers = ['offline', 'llm'] as const;

export type WriterName = (typeof writers)[number];

const runArticle = z.object({
  article_id: z.string(),
  /** The current status of the article; null after it was deleted. */
  status: z.enum(articleStatuses).nullable(),
  /** The last completed stage. */
  stage: z.enum(stages).nullable(),
  error: z.string().nullable(),
  /** The article that is about the same; null after it was deleted. */
  duplicate_of: z.string().nullable(),
  score: z.number().nullable(),
});

const runRow = z.object({
  id: z.string(),
  status: z.enum(workStatuses),
  reason: z.enum(workReasons).nullable(),
  writer: z.enum(writers),
  articles: z.array(runArticle),
  stages_done: z.number(),
  stages_total: z.number(),
  credits_spent: z.number(),
  /** Of all attempts; null if no model was called. */
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

const weighedRow = runRow.extend({ found: z.number() });

export type Run = z.infer<typeof runRow>;

/** A run as it is now, from the table `r`. */
const runColumns = sql.fragment`
  r.id, r.status, r.reason, r.writer, r.stages_total, r.credits_spent, r.created_at, r.started_at, r.finished_at,
  (select coalesce(sum(ra.stages_done), 0)::int from pipeline_run_articles ra where ra.run_id = r.id) as stages_done,
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'article_id', ra.article_id, 'status', a.status, 'stage', ra.stage, 'error', ra.error,
      'duplicate_of', d.id, 'score', p.score
    ) order by ra.position), '[]')
    from pipeline_run_articles ra left join articles a on a.id = ra.article_id
    left join pipeline_articles p on p.article_id = ra.article_id left join articles d on d.id = p.duplicate_of
    where ra.run_id = r.id
  ) as articles,
  (
    select case when count(s.input_tokens) + count(s.output_tokens) > 0 then jsonb_build_object(
      'input', coalesce(sum(s.input_tokens), 0), 'output', coalesce(sum(s.output_tokens), 0)
    ) end from pipeline_steps s where s.run_id = r.id
  ) as tokens`;

/** @throws ServiceError NOT_FOUND */
export async function getRun(db: Queryable, siteId: string, id: string): Promise<Run> {
  const run = await db.maybeOne(sql.type(runRow)`
    select ${runColumns} from pipeline_runs r where r.id = ${id} and r.site_id = ${siteId}`);
  if (run === null) throw notFound('pipeline run');
  return run;
}

/**
 * Locks a run until the transaction ends, and reads it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getRunForUpdate(tx: Transaction, siteId: string, id: string): Promise<Run> {
  const [, run] = await Promise.all([
    tx.exec(statement`select from pipeline_runs where id = ${id} and site_id = ${siteId} for no key update`),
    getRun(tx, siteId, id),
  ]);
  return run;
}

const newest = byId('r', 'desc');

/** A page of a Site's runs, newest first. @param write serializes a run as JSON */
export function listRuns(
  db: Queryable,
  site: Site,
  request: PageRequest,
  write: (run: Run) => string,
): Promise<WeighedPage> {
  return readWeighedPage(
    { key: site.cursorKey, query: 'pipeline/runs' },
    request,
    (position, count) => {
      const { after, order } = pageSql(newest, position);
      const rows = sql.fragment`
        select ${runColumns} from pipeline_runs r
        where r.site_id = ${site.id} and ${after} order by ${order} limit ${count}`;
      // A run may have as many articles as its Site.
      const weight = sql.fragment`octet_length(a.articles::text)`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, sql.fragment`a.id desc`, weight)}`);
    },
    newest.positionOf,
    write,
  );
}
