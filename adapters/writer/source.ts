import type { Attempt } from '../../domain/pipeline/writer.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import { JobTooLarge } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
import type { readPage } from './page.ts';
import { withoutSource } from './source-text.ts';
import type { Source } from './source-text.ts';

export interface SourceReader {
  /**
   * @param url null for a topic without a source
   * @throws Error if the page could not even be asked for
   */
  read(url: string | null, attempt: Attempt): Promise<Source>;
}

/** Maximum bytes read of a page; the article is near its start. */
const PAGE_BYTES = 500_000;
const TIMEOUT_MS = 10_000;

type SourceJobs = InHelpers<{ readSource: typeof readPage }>;

/** Fetches source pages through the guarded client and extracts the article of each. */
export const createSourceReader = (http: GuardedClient, jobs: SourceJobs): SourceReader => ({
  async read(url, { siteId, signal }) {
    if (url === null) return { text: null, problem: null };
    const answer = await http.request({
      url,
      method: 'GET',
      headers: { accept: 'text/html,application/xhtml+xml,text/plain;q=0.8' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: PAGE_BYTES,
      redirects: 1,
      isolationKey: siteId,
      readBody: true,
    });
    if (answer.outcome === 'failure') {
      // It says nothing about the source, so the stage is tried again instead of being written without it.
      if (answer.ours) throw new Error(answer.detail);
      return withoutSource(answer.error);
    }
    if (answer.status < 200 || answer.status > 299) return withoutSource(`status ${answer.status}`);
    const page = { body: answer.body ?? Buffer.alloc(0), contentType: answer.headers['content-type'] ?? '' };
    try {
      return await jobs.readSource(siteId, page, signal);
    } catch (error) {
      if (error instanceof JobTooLarge) return withoutSource(error.message);
      throw error;
    }
  },
});
