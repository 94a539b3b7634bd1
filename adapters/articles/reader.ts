import type { Outline } from '../../domain/seo/articles/outline.ts';
import { createProcesses, JobTooLarge } from '../jobs/processes.ts';
import type { Jobs } from './jobs.ts';

/** Reads the structure of articles, in helper processes: what people wrote may take seconds. */
export interface ArticleReader {
  /**
   * @returns null for a text that cannot be read, or takes too much time or memory
   * @throws JobUnfinished if the machine is too busy
   */
  outline(siteId: string, text: string, locale: string, signal: AbortSignal): Promise<Outline | null>;
  close(): void;
}

/** The largest article takes a few seconds. */
const PROCESSOR_MS = 15_000;
const DEADLINE_MS = 60_000;
const LONGEST_WAIT_MS = 60_000;

export function createArticleReader(): ArticleReader {
  const processes = createProcesses<Jobs>({
    program: new URL('main.ts', import.meta.url),
    processes: 2,
    processorMs: PROCESSOR_MS,
    deadlineMs: DEADLINE_MS,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    async outline(siteId, text, locale, signal) {
      try {
        return await processes.run(siteId, 'readOutline', { text, locale }, signal);
      } catch (error) {
        if (error instanceof JobTooLarge) return null;
        throw error;
      }
    },
    close: () => processes.close(),
  };
}
