import { z } from 'zod';
import { promptStages } from '../../../domain/prompts/stages.ts';
import type { PromptStage } from '../../../domain/prompts/stages.ts';
import { isoTime, pageOf, text, uuid } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import { Topic } from '../pipeline/schema.ts';
import {
  promptSavedExample,
  promptVersionExample,
  promptTriedExample,
  promptTryExample,
  promptWriteExample,
  promptsExample,
} from './examples.ts';

export const PromptWrite = z
  .strictObject({ template: text(50_000, 1) })
  .meta({ id: 'PromptWrite', examples: [promptWriteExample] });

export const stage = z.enum(promptStages);
const names = z.array(z.string());

const Prompt = z
  .strictObject({
    stage,
    default: z.strictObject({ template: z.string() }).meta({ id: 'PromptDefault' }),
    placeholders: names.meta({ description: 'The names of the default’s placeholders, without braces.' }),
    override: z
      .strictObject({
        template: z.string(),
        version: z.int(),
        missing_placeholders: names,
        updated_at: isoTime,
      })
      .meta({ id: 'PromptOverride' })
      .nullable(),
    effective: z.enum(['default', 'override']),
  })
  .meta({ id: 'Prompt' });

export const Prompts = z
  .strictObject(
    Object.fromEntries(promptStages.map((name) => [name, Prompt])) as Record<PromptStage, typeof Prompt>,
  )
  .meta({ id: 'Prompts', examples: [promptsExample] });

export const PromptSaved = z
  .strictObject({
    stage,
    template: z.string(),
    version: z.int(),
    placeholders: names,
    missing_placeholders: names,
    updated_at: isoTime,
  })
  .meta({ id: 'PromptSaved', examples: [promptSavedExample] });

export const PromptVersionPage = pageOf(
  z
    .strictObject({
      version: z.int(),
      template: z.string(),
      missing_placeholders: names,
      created_at: isoTime,
    })
    .meta({ id: 'PromptVersion', examples: [promptVersionExample] }),
).meta({ id: 'PromptVersionPage' });

const exactlyOne = rule(z.looseObject({}), (sent) =>
  'article_id' in sent === 'topic' in sent
    ? [{ path: ['topic'], message: 'send either topic or article_id: the prompt is tried on it' }]
    : [],
);

export const PromptTry = z
  .strictObject({
    template: text(50_000, 1).optional().describe('By default the one that is in effect.'),
    article_id: uuid.optional().describe('An article in a status of the pipeline. It does not change.'),
    topic: Topic.optional(),
    render_only: z
      .boolean()
      .default(true)
      .describe('Whether only the prompt is made, which is free. Otherwise the stage is done, and charged.'),
  })
  .check(exactlyOne)
  .meta({ id: 'PromptTry', examples: [promptTryExample] });

export const PromptTried = z
  .strictObject({
    rendered: z.string().describe('The prompt as the writer gets it; empty if it could not be made.'),
    missing_placeholders: names,
    answer: z
      .string()
      .nullable()
      .describe('What the writer answered; without a language model, what it made as JSON.'),
    valid: z
      .boolean()
      .nullable()
      .describe('Whether a stage could use the answer; null if nothing was asked.'),
    problems: z.array(z.string()),
    tokens: z.strictObject({ input: z.int(), output: z.int() }).meta({ id: 'TokenCounts' }).nullable(),
    credits_spent: z.int().describe('0 for a try that failed.'),
  })
  .meta({ id: 'PromptTried', examples: [promptTriedExample] });
