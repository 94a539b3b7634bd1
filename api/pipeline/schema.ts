import { z } from 'zod';
import { articleStatuses } from '../../domain/articles/article.ts';
import type { FieldMessages } from '../../domain/errors.ts';
import { runReasons, runStatuses, writers } from '../../domain/pipeline/run.ts';
import { stages } from '../../domain/pipeline/stages.ts';
import { id, isoTime, nullableTime, pageOf, text, uuid, webUrl } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

/** Topics of a run at most, and articles named (decisions 10). */
const TOPICS = 50;
const ARTICLES = 100;

const Topic = z.strictObject({
  title: text(300, 1),
  keywords: z.array(text(5_000)).max(100).optional(),
  source_url: webUrl.optional(),
  format_id: uuid.nullable().optional(),
  category_id: uuid.nullable().optional(),
  author_id: uuid.nullable().optional(),
});

export const RunBody = z
  .strictObject({
    topics: z.array(Topic).min(1, { error: 'must have at least one topic' }).max(TOPICS),
    article_ids: z.array(uuid).min(1, { error: 'must name at least one article' }).max(ARTICLES),
    resume_run_id: uuid,
  })
  .partial()
  .meta({ id: 'StartPipelineRun' });

/** A resumed run takes what the other left, and nothing else (decisions 10). */
export function examineRun(sent: Readonly<Record<string, unknown>>): FieldMessages {
  if (!('resume_run_id' in sent) || Object.keys(sent).length === 1) return {};
  return { resume_run_id: 'must stand alone: a resumed run takes the articles that the other left' };
}

export const RunShape = z
  .strictObject({
    id,
    status: z.enum(runStatuses),
    reason: z.enum(runReasons).nullable(),
    writer: z.enum(writers),
    articles: z.array(
      z.strictObject({
        article_id: id,
        status: z
          .enum(articleStatuses)
          .nullable()
          .meta({ description: 'As it is now; null once it has been deleted.' }),
        stage: z.enum(stages).nullable().meta({ description: 'The last stage done.' }),
        error: z.string().nullable(),
      }),
    ),
    totals: z.strictObject({ articles: z.int(), stages_done: z.int(), stages_total: z.int() }),
    credits_spent: z.int(),
    created_at: isoTime,
    started_at: nullableTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'PipelineRun' });

export const RunPage = pageOf(RunShape).meta({ id: 'PipelineRunPage' });

export const RunQuery = z.strictObject({ cursor, limit: limit() });
