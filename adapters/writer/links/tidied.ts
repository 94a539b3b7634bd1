import { WriterError } from '../../../domain/pipeline/writer.ts';
import type { Attempt } from '../../../domain/pipeline/writer.ts';
import { JobTooLarge } from '../../jobs/helper-process.ts';
import type { InHelpers } from '../../jobs/job.ts';
import type { citedIn, tidyText } from './tidy.ts';

export type TidyJobs = InHelpers<{ citedIn: typeof citedIn; tidyText: typeof tidyText }>;

/** What a written text may cite, and which of its links may stay. */
export interface Limits {
  /** The text before it was written anew: its own footnotes and citations stay. */
  readonly before: string | null;
  /** The numbers of sources, and of those that were read. */
  readonly sources: readonly number[];
  readonly read: readonly number[];
  readonly allowedLinks: (
    targets: readonly string[],
    earlier: ReadonlySet<string>,
  ) => Promise<readonly string[]>;
}

/**
 * A written text without links and citations that it may not have (docs/spec/rulings.md, 25).
 *
 * @throws WriterError for a text that cannot be parsed
 */
export async function tidied(
  jobProcesses: TidyJobs,
  text: string,
  { before, sources, read, allowedLinks }: Limits,
  { siteId, signal }: Attempt,
): Promise<string> {
  try {
    const found = await jobProcesses.citedIn(siteId, { text }, signal);
    const earlier = before === null ? null : await jobProcesses.citedIn(siteId, { text: before }, signal);
    if (found === null) throw hostile();
    const targets = await allowedLinks(found.targets, new Set(earlier?.targets));
    const known = new Set(sources.map(String));
    const citations = [
      ...read.map(String),
      ...(earlier?.citations ?? []).filter((label) => known.has(label)),
    ];
    const allowed = { targets, citations, notes: earlier?.notes ?? [] };
    const tidy = await jobProcesses.tidyText(siteId, { text, allowed }, signal);
    if (tidy === null) throw hostile();
    return tidy;
  } catch (error) {
    if (error instanceof JobTooLarge) throw hostile(error);
    throw error;
  }
}

const hostile = (cause?: unknown): WriterError =>
  new WriterError('the text has links that cannot be read.', {
    final: false,
    failedCalls: 1,
    code: 'TEXT_REFUSED',
    cause,
  });
