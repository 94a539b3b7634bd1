import { z } from 'zod';
import { articleStatuses } from '../../domain/articles/row.ts';
import type { FieldMessages } from '../../domain/errors.ts';
import { runReasons, runStatuses, writers } from '../../domain/pipeline/run.ts';
import { stages } from '../../domain/pipeline/stages.ts';
import { id, isoTime, nullableTime, pageOf, text, uuid, webUrl } from '../schema/fields.ts';
import { runExample, runWriteExample } from './examples.ts';

/** Limits of the topics and articles of a run (docs/spec/rulings.md, 10). */
const TOPICS = 50;
const ARTICLES = 100;

const Topic = z
  .strictObject({
    title: text(300, 1),
    keywords: z.array(text(5_000)).max(100).optional(),
    source_url: webUrl.optional(),
    format_id: uuid.nullable().optional(),
    category_id: uuid.nullable().optional(),
    author_id: uuid.nullable().optional(),
  })
  .meta({ id: 'Topic' });

export const RunBody = z
  .strictObject({
    topics: z.array(Topic).min(1, { error: 'must have at least one topic' }).max(TOPICS),
    article_ids: z.array(uuid).min(1, { error: 'must name at least one article' }).max(ARTICLES),
    resume_run_id: uuid,
  })
  .partial()
  .meta({ id: 'StartPipelineRun', examples: [runWriteExample] });

/** A resumed run only takes the unfinished articles of the other run (docs/spec/rulings.md, 10). */
export function examineRun(sent: Readonly<Record<string, unknown>>): FieldMessages {
  if (!('resume_run_id' in sent) || Object.keys(sent).length === 1) return {};
  return { resume_run_id: 'must be the only field: a resumed run takes the unfinished articles of that run' };
}

const RunArticle = z
  .strictObject({
    article_id: id,
    status: z
      .enum(articleStatuses)
      .nullable()
      .meta({ description: 'The current status of the article; null after it has been deleted.' }),
    stage: z.enum(stages).nullable().meta({ description: 'The last completed stage.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'RunArticle' });

export const RunShape = z
  .strictObject({
    id,
    status: z.enum(runStatuses),
    reason: z.enum(runReasons).nullable(),
    writer: z.enum(writers),
    articles: z.array(RunArticle),
    totals: z
      .strictObject({ articles: z.int(), stages_done: z.int(), stages_total: z.int() })
      .meta({ id: 'RunTotals' }),
    credits_spent: z.int(),
    created_at: isoTime,
    started_at: nullableTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'PipelineRun', examples: [runExample] });

export const RunPage = pageOf(RunShape).meta({ id: 'PipelineRunPage' });
