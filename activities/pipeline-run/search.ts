import { namedSources } from '../../domain/kernel/named-sources.ts';
import { prepareBrief } from '../../domain/pipeline/brief.ts';
import type { StageExecution } from '../../domain/pipeline/stage-execution.ts';
import type { Step } from '../../domain/pipeline/stage-result.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import { readSiteSettings } from '../../domain/sites/settings.ts';
import { findSources, readerOfFound } from '../../adapters/writer/find-sources.ts';
import type { SourceReader } from '../../adapters/writer/source.ts';
import type { Ports } from '../ports.ts';

/** The pages that an attempt is to read, and what it used to find them. */
export interface Searched {
  readonly begun: Step;
  readonly urls: readonly string[];
  readonly sources: SourceReader;
}

/** Searches for pages besides those that a topic names, if there is a provider, before facts are collected. */
export async function search(
  {
    db,
    clock,
    writer,
    sources,
    research,
    jobProcesses,
  }: Pick<Ports, 'db' | 'clock' | 'writer' | 'sources' | 'research' | 'jobProcesses'>,
  execution: StageExecution,
  attempt: Attempt,
  begun: Step,
): Promise<Searched> {
  const named = namedSources(execution.memory);
  if (execution.stage !== 'extract' || research === undefined) return { begun, urls: named, sources };
  const [topic, { domain }] = await Promise.all([
    prepareBrief(db, attempt.siteId, execution, clock.now()),
    readSiteSettings(db, attempt.siteId),
  ]);
  const { urls, spent, problem } = await findSources(
    { writer, research, jobProcesses },
    topic,
    { named, domain },
    attempt,
  );
  return {
    begun: { ...begun, ...spent, searchFailed: problem },
    urls: [...named, ...urls],
    sources: readerOfFound(sources, urls),
  };
}
