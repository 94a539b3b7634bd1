import { promptStages } from '../../../domain/prompts/stages.ts';

/** Examples of the reference; tests hold them against the schemas. */
const override = {
  template: 'Write about {{title}} in British English.',
  version: 2,
  missing_placeholders: ['outline'],
  updated_at: '2026-03-01T09:00:00.000Z',
};

const prompt = {
  default: { template: 'Write about {{title}} by this outline: {{outline}}' },
  placeholders: ['title', 'outline'],
};

export const promptsExample = Object.fromEntries(
  promptStages.map((stage) => [
    stage,
    stage === 'generate'
      ? { stage, ...prompt, override, effective: 'override' }
      : { stage, ...prompt, override: null, effective: 'default' },
  ]),
);

export const promptWriteExample = { template: override.template };
export const promptSavedExample = { stage: 'generate', placeholders: prompt.placeholders, ...override };
export const promptVersionExample = {
  version: override.version,
  template: override.template,
  missing_placeholders: override.missing_placeholders,
  created_at: override.updated_at,
};

export const promptTryExample = {
  template: 'Judge the topic {{title}} for {{site}}',
  topic: { title: 'How to brew green tea' },
};

export const promptTriedExample = {
  rendered: 'Judge the topic How to brew green tea for Name: Tea time',
  missing_placeholders: ['keywords'],
  answer: null,
  valid: null,
  problems: [],
  tokens: null,
  credits_spent: 0,
};
