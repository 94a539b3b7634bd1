import { namedSources } from '../../domain/kernel/named-sources.ts';
import type { Topic } from '../../domain/pipeline/brief.ts';
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
  ports: Pick<Ports, 'db' | 'writer' | 'sources' | 'research' | 'jobProcesses'>,
  execution: StageExecution,
  topic: Topic,
  attempt: Attempt,
  begun: Step,
): Promise<Searched> {
  const { db, writer, sources, research, jobProcesses } = ports;
  const named = namedSources(execution.memory);
  if (execution.stage !== 'extract' || research === undefined) return { begun, urls: named, sources };
  const { domain } = await readSiteSettings(db, attempt.siteId);
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
