import type { Outline } from '../../domain/seo/articles/outline.ts';
import { JobTooLarge } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
import type { readOutline } from './outline.ts';

/** Reads the structure of articles, in helper processes: people's texts may take seconds. */
export interface ArticleReader {
  /**
   * @returns null for a text that cannot be read, or takes too much time or memory
   * @throws JobUnfinished if the machine is too busy
   */
  outline(siteId: string, text: string, locale: string, signal: AbortSignal): Promise<Outline | null>;
}

export const createArticleReader = (
  processes: InHelpers<{ readOutline: typeof readOutline }>,
): ArticleReader => ({
  async outline(siteId, text, locale, signal) {
    try {
      return await processes.readOutline(siteId, { text, locale }, signal);
    } catch (error) {
      if (error instanceof JobTooLarge) return null;
      throw error;
    }
  },
});
