import type { Database } from '../../db/database.ts';
import { findBlueprint } from '../../domain/content-types/blueprint.ts';
import { extracted, generated, improved, judged, planned } from '../../domain/pipeline/results.ts';
import type { StageResult, Step } from '../../domain/pipeline/stage-result.ts';
import type { StageExecution } from '../../domain/pipeline/stage-execution.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Brief, Written } from '../../domain/pipeline/writer.ts';
import { findPrompt } from '../../domain/prompts/effective.ts';
import { PROMPT_LENGTH } from '../../domain/prompts/template.ts';
import { findLocale } from '../../domain/organisations/sites.ts';
import { JobTooLarge } from '../../adapters/jobs/helper-process.ts';
import type { Ports } from '../ports.ts';

/**
 * Runs the writer for a stage, without writing to the database.
 *
 * @throws WriterError, or any other error of the writer
 */
export async function perform(
  { db, writer, sources, jobProcesses }: Pick<Ports, 'db' | 'writer' | 'sources' | 'jobProcesses'>,
  execution: StageExecution,
  attempt: Attempt,
): Promise<StageResult> {
  const { stage, article } = execution;
  const source = stage === 'extract' ? await sources.read(execution.memory.source_url, attempt) : null;
  const text = source?.text ?? execution.memory.source_text;
  const prepared = await prepare(db, attempt.siteId, execution, text);
  const { topic } = prepared;
  const { template, version: promptVersion } = prepared.prompt;
  // The offline writer sends no prompt, so there is none to render, or to be too long.
  const prompt =
    writer.name === 'offline' ? null : await render(jobProcesses, execution, template, topic, attempt);
  const brief = { ...topic, prompt: prompt ?? '' };
  const stepOf = ({ answer, inputTokens, outputTokens }: Written<unknown>): Step => ({
    promptVersion,
    prompt,
    answer,
    inputTokens,
    outputTokens,
  });
  switch (stage) {
    case 'classify': {
      const written = await writer.classify(brief, attempt);
      return judged(written.value, stepOf(written));
    }
    case 'extract': {
      const written = await writer.extract(brief, attempt);
      return extracted(written.value, source?.problem ?? null, stepOf(written));
    }
    case 'plan': {
      const written = await writer.plan(brief, attempt);
      return planned(written.value, stepOf(written));
    }
    case 'generate': {
      const written = await writer.generate(brief, attempt);
      return generated(written.value, article, stepOf(written));
    }
    case 'improve': {
      const written = await writer.improve(brief, attempt);
      return improved(written.value, brief.blueprint, stepOf(written));
    }
  }
}

async function prepare(
  db: Database,
  siteId: string,
  { stage, article, memory }: StageExecution,
  source: string | null,
): Promise<{ topic: Omit<Brief, 'prompt'>; prompt: Awaited<ReturnType<typeof findPrompt>> }> {
  const [blueprint, prompt, locale] = await Promise.all([
    findBlueprint(db, siteId, article.format_id),
    findPrompt(db, siteId, stage),
    findLocale(db, siteId),
  ]);
  const { content, excerpt, seo_title, seo_description, seo_keywords } = article;
  const { key_takeaways, faqs, howto_steps, comparison } = article;
  const written = {
    content,
    excerpt,
    seo_title,
    seo_description,
    seo_keywords,
    key_takeaways,
    faqs,
    howto_steps,
    comparison,
  } as Brief['written'];
  const topic = { title: article.title ?? '', keywords: memory.keywords, source, locale, blueprint };
  return { topic: { ...topic, outline: memory.outline, written }, prompt };
}

/** @throws WriterError final and charged if the prompt would be too long: the Site wrote the template */
async function render(
  jobProcesses: Ports['jobProcesses'],
  { stage }: StageExecution,
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
      { final: true, charged: true },
    );
  } catch (error) {
    if (!(error instanceof JobTooLarge)) throw error;
    throw new WriterError(`the prompt could not be rendered: ${error.message}.`, { final: false });
  }
}
