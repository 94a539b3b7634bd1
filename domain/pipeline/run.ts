import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { articleStatuses } from '../articles/article.ts';
import { notFound } from '../errors.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { stages } from './stages.ts';

export const runStatuses = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

export const runReasons = [
  'insufficient_credits',
  'spend_cap_reached',
  'cancelled',
  'provider_unavailable',
] as const;

/** Who writes: a language model, or the writer that needs none (decisions 10). */
export const writers = ['offline', 'llm'] as const;

export type WriterName = (typeof writers)[number];

const runArticle = z.object({
  article_id: z.string(),
  /** As it is now; null once the article has been deleted. */
  status: z.enum(articleStatuses).nullable(),
  /** The last stage done. */
  stage: z.enum(stages).nullable(),
  error: z.string().nullable(),
});

const runRow = z.object({
  id: z.string(),
  status: z.enum(runStatuses),
  reason: z.enum(runReasons).nullable(),
  writer: z.enum(writers),
  articles: z.array(runArticle),
  stages_done: z.number(),
  stages_total: z.number(),
  credits_spent: z.number(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

export type Run = z.infer<typeof runRow>;

/** A run as it is now, of the table under the name `r`. */
const runColumns = sql.fragment`
  r.id, r.status, r.reason, r.writer, r.stages_total, r.credits_spent, r.created_at, r.started_at, r.finished_at,
  (select coalesce(sum(ra.stages_done), 0)::int from pipeline_run_articles ra where ra.run_id = r.id) as stages_done,
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'article_id', ra.article_id, 'status', a.status, 'stage', ra.stage, 'error', ra.error
    ) order by ra.position), '[]')
    from pipeline_run_articles ra left join articles a on a.id = ra.article_id where ra.run_id = r.id
  ) as articles`;

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
export async function getRunForChange(tx: Transaction, siteId: string, id: string): Promise<Run> {
  const [, run] = await Promise.all([
    tx.exec(statement`select from pipeline_runs where id = ${id} for no key update`),
    getRun(tx, siteId, id),
  ]);
  return run;
}

/** A page of a Site's runs, newest first. */
export function listRuns(db: Queryable, site: Site, request: PageRequest): Promise<Page<Run>> {
  return readPage(
    { key: site.cursorKey, query: 'pipeline/runs' },
    request,
    (after, count) => {
      const behind = after === null ? sql.fragment`` : sql.fragment`and r.id < ${after.id}`;
      return db.any(sql.type(runRow)`
        select ${runColumns} from pipeline_runs r
        where r.site_id = ${site.id} ${behind} order by r.id desc limit ${count}`);
    },
    ({ id }) => ({ key: null, id }),
  );
}

export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/** A run as the API shows it (decisions 10). */
export const presentRun = (run: Run) => ({
  id: run.id,
  status: run.status,
  reason: run.reason,
  writer: run.writer,
  articles: run.articles.map(({ article_id, status, stage, error }) => ({
    article_id,
    status,
    stage,
    error,
  })),
  totals: {
    articles: run.articles.length,
    stages_done: run.stages_done,
    stages_total: run.stages_total,
  },
  credits_spent: run.credits_spent,
  created_at: run.created_at.toISOString(),
  started_at: run.started_at?.toISOString() ?? null,
  finished_at: run.finished_at?.toISOString() ?? null,
});
