import { SourceShape } from '../articles/schema.ts';
import { z } from 'zod';
import { articleStatuses } from '../../../domain/articles/row.ts';
import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import { workReasons, workStatuses } from '../../../domain/paid-work/paid-work.ts';
import { writers } from '../../../domain/pipeline/run.ts';
import { stepStatuses } from '../../../domain/pipeline/steps.ts';
import { stages } from '../../../domain/pipeline/stages.ts';
import { id, isoTime, nullableTime, pageOf, text, uuid, webUrl } from '../../../packages/base/fields.ts';
import { fewSources, sourceUrls } from '../../framework/schema/source-urls.ts';
import { stageStates } from '../../../domain/pipeline/article-state.ts';
import { Person } from '../reviews/person-schema.ts';
import { articleStateExample, runExample, runWriteExample, stepExample } from './examples.ts';

/** Limits of the topics and articles of a run (docs/spec/rulings.md, 10). */
const TOPICS = 50;
const ARTICLES = 100;
const PLAN_ITEMS = 50;

export const Topic = z
  .strictObject({
    title: text(300, 1),
    keywords: z.array(text(5_000)).max(100).optional(),
    notes: text(5_000)
      .nullable()
      .optional()
      .describe('What the text should say, and what to mind; prompts get it as `{{notes}}`.'),
    source_url: webUrl.optional().describe('A page that the pipeline takes facts from.'),
    source_urls: sourceUrls.optional(),
    format_id: uuid.nullable().optional(),
    category_id: uuid.nullable().optional(),
    author_id: uuid.nullable().optional(),
  })
  .check(fewSources)
  .meta({ id: 'Topic' });

export const RunBody = z
  .strictObject({
    topics: z.array(Topic).min(1, { error: 'must have at least one topic' }).max(TOPICS),
    article_ids: z.array(uuid).min(1, { error: 'must name at least one article' }).max(ARTICLES),
    plan_item_ids: z
      .array(uuid)
      .min(1, { error: 'must name at least one plan item' })
      .max(PLAN_ITEMS)
      .describe(
        'Items of the content plan, each once, and no other field. Their articles are in this order.',
      ),
    resume_run_id: uuid,
  })
  .partial()
  .meta({ id: 'StartPipelineRun', examples: [runWriteExample] });

/** A resumed run only takes the unfinished articles of the other run, one of plan items only those (docs/spec/rulings.md, 10, 19). */
export function examineRun(sent: Readonly<Record<string, unknown>>): FieldMessages {
  const alone = Object.keys(sent).length === 1;
  return {
    ...('resume_run_id' in sent && !alone
      ? { resume_run_id: 'must be the only field: a resumed run takes the unfinished articles of that run' }
      : {}),
    ...('plan_item_ids' in sent && !alone
      ? { plan_item_ids: 'must be the only field: send topics and articles in a run of their own' }
      : {}),
    ...namedTwice(sent['plan_item_ids']),
  };
}

function namedTwice(ids: unknown): FieldMessages {
  if (!Array.isArray(ids)) return {};
  const seen = new Set<unknown>();
  return Object.fromEntries(
    ids.flatMap((id: unknown, index) => {
      const same = typeof id === 'string' ? id.toLowerCase() : id;
      if (seen.has(same)) return [[`plan_item_ids.${index}`, 'is named twice: name each item once']];
      seen.add(same);
      return [];
    }),
  );
}

export const Rejection = z
  .strictObject({
    reason: text(2_000).nullable().optional().describe('For the team; readers never see it.'),
  })
  .meta({ id: 'Rejection', examples: [{ reason: 'We have written about this before.' }] });

const RunArticle = z
  .strictObject({
    article_id: id,
    status: z
      .enum(articleStatuses)
      .nullable()
      .meta({ description: 'The current status of the article; null after it has been deleted.' }),
    stage: z.enum(stages).nullable().meta({ description: 'The last completed stage.' }),
    error: z.string().nullable(),
    duplicate_of: id.nullable().meta({
      description:
        'The article that is about the same already, so that this one was skipped; null after it has been deleted.',
    }),
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'How well the topic fits the blog; null until it is judged.' }),
  })
  .meta({ id: 'RunArticle' });

const Tokens = z.strictObject({ input: z.int(), output: z.int() }).meta({
  id: 'Tokens',
  description: 'Tokens of all calls of the model, failed attempts included; null if there were none.',
});

export const RunShape = z
  .strictObject({
    id,
    status: z.enum(workStatuses),
    reason: z.enum(workReasons).nullable(),
    writer: z.enum(writers),
    articles: z.array(RunArticle),
    totals: z
      .strictObject({ articles: z.int(), stages_done: z.int(), stages_total: z.int() })
      .meta({ id: 'RunTotals' }),
    credits_spent: z.int(),
    tokens: Tokens.nullable(),
    created_at: isoTime,
    started_at: nullableTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'PipelineRun', examples: [runExample] });

export const RunPage = pageOf(RunShape).meta({ id: 'PipelineRunPage' });

export const StepShape = z
  .strictObject({
    id,
    article_id: id,
    stage: z.enum(stages),
    attempt: z.int().meta({
      description: 'Counts from 1. An attempt whose worker was lost is repeated with the same number.',
    }),
    status: z.enum(stepStatuses),
    model: z.string().nullable().meta({ description: 'Null for the built-in writer.' }),
    started_at: isoTime,
    finished_at: isoTime,
    tokens: Tokens.nullable(),
    credits: z.int().meta({ description: 'Taken for the attempt and kept.' }),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable().meta({ id: 'StepError' }),
    prompt: z
      .string()
      .nullable()
      .meta({ description: 'Null without the permission prompts.manage, and for the built-in writer.' }),
    answer: z.string().nullable().meta({ description: 'What the model answered last; null as `prompt` is.' }),
  })
  .meta({ id: 'PipelineStep', examples: [stepExample] });

export const StepPage = pageOf(StepShape).meta({ id: 'PipelineStepPage' });

const StageState = z
  .strictObject({
    stage: z.enum(stages),
    status: z
      .enum(stageStates)
      .meta({ description: 'What the newest attempt came to; `running` while a run is at the stage.' }),
    run_id: id,
    finished_at: nullableTime,
  })
  .meta({ id: 'StageState' });

export const ArticleStateShape = z
  .strictObject({
    article_id: id,
    status: z.enum(articleStatuses),
    score: z
      .int()
      .nullable()
      .meta({ description: 'How well the topic fits, 0 to 100; null before `classify`.' }),
    duplicate_of: id.nullable(),
    outline: z
      .strictObject({
        sections: z.array(
          z
            .strictObject({ heading: z.string(), points: z.array(z.string()), min_words: z.int().nullable() })
            .meta({ id: 'PipelineOutlineSection' }),
        ),
      })
      .meta({ id: 'PipelineOutline' })
      .nullable(),
    suggestions: z
      .strictObject({
        titles: z.array(z.string()).max(3),
        tag_ids: z.array(id),
        category_id: id.nullable(),
        excerpt: z.string().nullable(),
        seo_title: z.string().nullable(),
        seo_description: z.string().nullable(),
      })
      .meta({
        id: 'PipelineSuggestions',
        description:
          'What the stage `improve` proposes; null before it. Tags and category are set when the article has none.',
      })
      .nullable(),
    sources: z.array(SourceShape).nullable(),
    stages: z.array(StageState).meta({ description: 'Those that were begun, in their order.' }),
    rejected: z
      .strictObject({ at: isoTime, by: Person.nullable(), reason: z.string().nullable() })
      .meta({ id: 'PipelineRejection', description: 'Null unless the article is rejected.' })
      .nullable(),
  })
  .meta({ id: 'PipelineArticle', examples: [articleStateExample] });
