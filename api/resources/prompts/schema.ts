import { z } from 'zod';
import { promptStages } from '../../../domain/prompts/stages.ts';
import type { PromptStage } from '../../../domain/prompts/stages.ts';
import { isoTime, pageOf, text } from '../../../packages/base/fields.ts';
import { promptSavedExample, promptVersionExample, promptWriteExample, promptsExample } from './examples.ts';

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
