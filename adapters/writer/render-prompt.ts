import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Brief } from '../../domain/pipeline/writer.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import { PROMPT_LENGTH } from '../../domain/prompts/template.ts';
import type { renderTemplate, TemplateValues } from '../../domain/prompts/template.ts';
import { JobTooLarge } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';

export type PromptJobs = InHelpers<{
  renderPrompt: (input: {
    readonly template: string;
    readonly values: TemplateValues;
  }) => ReturnType<typeof renderTemplate>;
}>;

/** @throws WriterError final and charged if the prompt would be too long: the Site wrote the template */
export async function renderPrompt(
  jobProcesses: PromptJobs,
  stage: Stage,
  template: string,
  values: Omit<Brief, 'prompt'>,
  { siteId, signal }: Attempt,
): Promise<string> {
  try {
    const rendered = await jobProcesses.renderPrompt(siteId, { template, values }, signal);
    if ('prompt' in rendered) return rendered.prompt;
    throw new WriterError(
      `The prompt of the stage ${stage} would have ${rendered.tooLong} characters; at most ${PROMPT_LENGTH} are ` +
        'sent. Shorten the template or its inputs.',
      { final: true, charged: true, code: 'PROMPT_TOO_LONG' },
    );
  } catch (error) {
    if (!(error instanceof JobTooLarge)) throw error;
    throw new WriterError(`the prompt could not be rendered: ${error.message}.`, { final: false });
  }
}
