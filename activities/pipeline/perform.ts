import type { Database } from '../../db/database.ts';
import { findBlueprint } from '../../domain/content-types/blueprint.ts';
import { extracted, generated, improved, judged, planned } from '../../domain/pipeline/results.ts';
import type { StageResult, Step } from '../../domain/pipeline/stage-result.ts';
import type { OpenUnit } from '../../domain/pipeline/unit.ts';
import type { Attempt, Brief, Writer, Written } from '../../domain/pipeline/writer.ts';
import { findPrompt } from '../../domain/prompts/effective.ts';
import { renderTemplate } from '../../domain/prompts/template.ts';
import { findLocale } from '../../domain/sites.ts';
import type { SourceReader } from '../../writer/source.ts';

export interface PerformingPorts {
  readonly db: Database;
  readonly writer: Writer;
  readonly sources: SourceReader;
}

/**
 * Has a stage done, without writing anything down.
 *
 * @throws WriterError, or whatever else the writer fails with
 */
export async function perform(
  { db, writer, sources }: PerformingPorts,
  siteId: string,
  unit: OpenUnit,
  attempt: Attempt,
): Promise<StageResult> {
  const { stage, article } = unit;
  const source = stage === 'extract' ? await sources.read(unit.memory.source_url, attempt.signal) : null;
  const { brief, promptVersion } = await prepare(db, siteId, unit, source?.text ?? unit.memory.source_text);
  const stepOf = ({ answer, inputTokens, outputTokens }: Written<unknown>): Step => ({
    promptVersion,
    // What nobody was asked is not kept.
    prompt: writer.name === 'offline' ? null : brief.prompt,
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
  { stage, article, memory }: OpenUnit,
  source: string | null,
): Promise<{ brief: Brief; promptVersion: number | null }> {
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
  const brief = { ...topic, outline: memory.outline, written };
  return {
    brief: { ...brief, prompt: renderTemplate(prompt.template, brief) },
    promptVersion: prompt.version,
  };
}
