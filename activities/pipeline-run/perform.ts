import { citedInContentOnly } from '../../domain/pipeline/citations.ts';
import { findDuplicate } from '../../domain/pipeline/duplicates.ts';
import {
  alreadyWritten,
  extracted,
  generated,
  improved,
  judged,
  planned,
} from '../../domain/pipeline/results.ts';
import type { StageResult, Step } from '../../domain/pipeline/stage-result.ts';
import type { StageExecution } from '../../domain/pipeline/stage-execution.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Draft, Written } from '../../domain/pipeline/writer.ts';
import { readSiteSettings } from '../../domain/sites/settings.ts';
import { findPrompt } from '../../domain/prompts/effective.ts';
import { renderPrompt } from '../../adapters/writer/render-prompt.ts';
import { readSources } from '../../adapters/writer/read-sources.ts';
import { tidied } from '../../adapters/writer/links/tidied.ts';
import type { Limits } from '../../adapters/writer/links/tidied.ts';
import { allowedLinks } from '../../domain/pipeline/allowed-links.ts';
import { briefWithPages, prepareBrief } from '../../domain/pipeline/brief.ts';
import { findClaims } from './claims.ts';
import type { Ports } from '../ports.ts';
import { addUp } from '../../adapters/writer/llm/spent.ts';
import { search } from './search.ts';

/**
 * Runs the writer for a stage, without writing to the database.
 *
 * @param first the attempt, as it is known so far @param asks called with the attempt as more of it is known
 * @throws WriterError, or any other error of the writer
 */
export async function perform(
  ports: Pick<Ports, 'db' | 'clock' | 'writer' | 'sources' | 'research' | 'jobProcesses'>,
  execution: StageExecution,
  attempt: Attempt,
  first: Step,
  asks: (step: Step) => void,
): Promise<StageResult> {
  const { db, clock, writer, jobProcesses } = ports;
  const { stage, article } = execution;
  if (stage === 'classify') {
    const topic = { id: article.id, title: article.title ?? '' };
    const duplicate = await findDuplicate(db, attempt.siteId, topic, writer.name);
    if (duplicate !== null) return alreadyWritten(duplicate, first);
  }
  const known = await prepareBrief(db, attempt.siteId, execution, clock.now());
  const { begun, urls, sources } = await search(ports, execution, known, attempt, first);
  asks(begun);
  const fetched = stage === 'extract' ? await readSources(sources, urls, attempt) : null;
  const { template, version: promptVersion } = await findPrompt(db, attempt.siteId, stage);
  const topic = fetched === null ? known : briefWithPages(known, fetched.pages);
  // The offline writer sends no prompt, so there is none to render, or to be too long.
  const prompt =
    writer.name === 'offline' ? null : await renderPrompt(jobProcesses, stage, template, topic, attempt);
  const brief = { ...topic, prompt: prompt ?? '' };
  const asked = { ...begun, promptVersion, prompt };
  asks(asked);
  const stepOf = (written: Written<unknown>): Step => ({ ...asked, ...addUp([asked, written]) });
  /** Links and citations are checked for a text that will be stored. */
  const within = async <Text extends Draft>(written: Written<Text>): Promise<Text> => {
    const draft = citedInContentOnly(written.value);
    const before = article.content || null;
    if (stage === 'generate' && before !== null) return draft;
    const limits: Limits = {
      before,
      sources: topic.sources.map(({ n }) => n),
      read: topic.sources.flatMap(({ n, text }) => (text === null ? [] : [n])),
      allowedLinks: (targets, earlier) => allowedLinks(db, attempt.siteId, article, targets, earlier),
    };
    const content = await tidied(jobProcesses, draft.content, limits, attempt).catch((error: unknown) => {
      throw error instanceof WriterError ? error.after(written) : error;
    });
    return { ...draft, content };
  };
  switch (stage) {
    case 'classify': {
      const written = await writer.classify(brief, attempt);
      return judged(written.value, stepOf(written));
    }
    case 'extract': {
      const written = await writer.extract(brief, attempt);
      const { pages, problem } = fetched ?? { pages: [], problem: null };
      return extracted(written.value, topic, pages, problem, stepOf(written));
    }
    case 'plan': {
      const written = await writer.plan(brief, attempt);
      return planned(written.value, stepOf(written));
    }
    case 'generate': {
      const written = await writer.generate(brief, attempt);
      return generated(await within(written), article, stepOf(written));
    }
    case 'improve': {
      const written = await writer.improve(brief, attempt);
      const text = { ...written, value: await within(written) };
      const claims = await findClaims({ writer, jobProcesses }, brief, text, attempt);
      const { max_unsupported_claims: most } = await readSiteSettings(db, attempt.siteId);
      return improved(text.value, brief.blueprint, { claims: claims.value, most }, stepOf(claims));
    }
  }
}
