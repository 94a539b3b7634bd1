import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Brief, Writer, Written } from '../../domain/pipeline/writer.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import { briefWithPages } from '../../domain/pipeline/brief.ts';
import { tenantOf } from '../../domain/organisations/tenant.ts';
import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';
import { TooBusy } from '../pages/visit.ts';
import type { Research } from '../research/research.ts';
import { findSources, nothingFound, readerOfFound } from './find-sources.ts';
import { addUp } from './llm/spent.ts';
import { readSources } from './read-sources.ts';
import { renderPrompt } from './render-prompt.ts';
import type { PromptJobs } from './render-prompt.ts';
import type { SourceReader } from './source.ts';

export interface TryPorts {
  readonly writer: Writer;
  readonly sources: SourceReader;
  readonly research?: Research | undefined;
  readonly jobProcesses: PromptJobs;
}

export interface StageToTry {
  readonly siteId: string;
  readonly stage: Stage;
  readonly template: string;
  readonly told: Omit<Brief, 'prompt'>;
  /** The pages of the topic, which only the stage extract reads. */
  readonly urls: readonly string[];
  /** Of the Site. */
  readonly domain: string;
  readonly renderOnly: boolean;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** What a stage would do. */
export interface TriedStage {
  /** Empty if the prompt could not be rendered. */
  readonly rendered: string;
  readonly answer: string | null;
  /** Null if nothing was asked. */
  readonly valid: boolean | null;
  readonly problems: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly failedCalls: number;
}

export type StageTrier = (what: StageToTry) => Promise<TriedStage>;

/** Tries of a process: each waits for a model for minutes. */
const turns = { permits: 50, tenantPermits: 4, waiting: 50, tenantWaiting: 8, longestWaitMs: 60_000 };

/** Does what a stage does, without an article that changes. */
export function createStageTrier(ports: TryPorts): StageTrier {
  const places = new FairSemaphore(turns);
  return async (what) => {
    const untried = { rendered: '', answer: null, valid: false, tokens: null, failedCalls: 0 };
    try {
      return await places.run(tenantOf(what.siteId), () => perform(ports, what), what);
    } catch (error) {
      if (error instanceof WriterError)
        return { ...untried, problems: [error.message], failedCalls: error.failedCalls };
      if (!(error instanceof NoPermit || error instanceof TooBusy)) throw error;
      return { ...untried, problems: ['Too much is going on. Try again in a minute.'] };
    }
  };
}

/** @throws WriterError if the prompt cannot be rendered */
async function perform(
  { writer, sources, research, jobProcesses }: TryPorts,
  { siteId, stage, template, told, urls: named, domain, renderOnly, signal }: StageToTry,
): Promise<TriedStage> {
  const attempt: Attempt = { siteId, signal };
  const extracts = stage === 'extract' && !renderOnly;
  const { urls, spent, problem } =
    extracts && research !== undefined
      ? await findSources({ writer, research, jobProcesses }, told, { named, domain }, attempt)
      : nothingFound;
  const source = extracts
    ? await readSources(readerOfFound(sources, urls), [...named, ...urls], attempt)
    : null;
  const known = source === null ? told : briefWithPages(told, source.pages);
  const rendered = await renderPrompt(jobProcesses, stage, template, known, attempt);
  const problems = [problem, source?.problem ?? null].filter((one) => one !== null);
  const tried = { rendered, answer: null, problems, tokens: null, failedCalls: 0 };
  if (renderOnly) return { ...tried, valid: null };
  try {
    const ask = writer[stage] as (brief: Brief, attempt: Attempt) => Promise<Written<unknown>>;
    const { value, answer, ...used } = await ask({ ...known, prompt: rendered }, attempt);
    const { inputTokens, outputTokens } = addUp([spent, { answer, ...used }]);
    const tokens =
      inputTokens === null || outputTokens === null ? null : { input: inputTokens, output: outputTokens };
    // Without a model the result itself is all there is to see.
    return { ...tried, answer: answer ?? JSON.stringify(value), valid: true, tokens };
  } catch (error) {
    if (!(error instanceof WriterError)) throw error;
    const why = error.code === 'NOTHING_TO_SAY' ? `${error.code}: ${error.message}` : error.message;
    return { ...tried, valid: false, problems: [...problems, why], failedCalls: error.failedCalls };
  }
}
