import type { examineClaims } from '../../domain/pipeline/claims/examine.ts';
import type { Claims } from '../../domain/pipeline/claims/claim.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Brief, Draft, Writer, Written } from '../../domain/pipeline/writer.ts';
import { JobTooLarge } from '../../adapters/jobs/helper-process.ts';
import type { InHelpers } from '../../adapters/jobs/job.ts';
import { addUp } from '../../adapters/writer/llm/spent.ts';

export type ClaimJobs = InHelpers<{ examineClaims: typeof examineClaims }>;

/**
 * What an improved text claims. A model is asked if there are sources to look it up in; without any, every sentence is a
 * claim that has none.
 *
 * @returns with what both, the draft and its claims, were answered and used
 */
export async function findClaims(
  { writer, jobProcesses }: { readonly writer: Writer; readonly jobProcesses: ClaimJobs },
  brief: Brief,
  written: Written<Draft>,
  attempt: Attempt,
): Promise<Written<Claims>> {
  const { content } = written.value;
  const { sources, notes, locale } = brief;
  const isAsked = sources.some(({ text }) => text !== null);
  const failed = (error: unknown): never => {
    throw error instanceof WriterError ? error.after(addUp([written, error.spent])) : error;
  };
  const about = { ...brief, written: { ...brief.written, content } };
  const asked = (isAsked && (await writer.claims?.(about, attempt).catch(failed))) || null;
  const spent = addUp(asked === null ? [written] : [written, asked]);
  try {
    const claims = await jobProcesses.examineClaims(
      attempt.siteId,
      {
        content,
        sources: sources.map(({ n, text }) => ({ n, text })),
        // A model writes from its sources; the offline writer writes the notes as they are.
        notes: writer.claims === undefined ? notes : null,
        locale,
        found: asked === null ? null : asked.value,
      },
      attempt.signal,
    );
    return { value: { of: content, claims }, ...spent };
  } catch (error) {
    if (!(error instanceof JobTooLarge)) throw error;
    throw new WriterError(`its claims could not be looked up: ${error.message}.`, { final: false }).after(
      spent,
    );
  }
}
