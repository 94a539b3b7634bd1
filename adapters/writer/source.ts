import { webUrl } from '../../packages/base/fields.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import { JobTooLarge } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
import type { PageVisitor } from '../pages/visitor.ts';
import type { readPage } from './page.ts';
import { withoutSource } from './source-text.ts';
import type { Source } from './source-text.ts';

export interface SourceReader {
  /** @throws TooBusy if it should be read later */
  read(url: string, attempt: Attempt): Promise<Source>;
}

/** What is fetched of a source (docs/spec/rulings.md, 25). */
const reading = { read: true, mostHops: 5, maxBytes: 5 * 2 ** 20, mayDecrypt: false } as const;

type SourceJobs = InHelpers<{ readSource: typeof readPage }>;

/** Visits source pages as robots.txt allows, and extracts the text of each. */
export const createSourceReader = (visitor: Pick<PageVisitor, 'visit'>, jobs: SourceJobs): SourceReader => ({
  async read(url, { siteId, signal }) {
    const visit = await visitor.visit(url, { siteId, signal, ...reading });
    if (visit.outcome === 'forbidden') return withoutSource('its robots.txt does not allow it');
    if (visit.outcome === 'failed') return withoutSource(visit.cause);
    if (visit.outcome !== 'answered') return withoutSource('it redirects too often');
    const { status, headers, body } = visit;
    if (status < 200 || status > 299) return withoutSource(`status ${status}`);
    try {
      const page = await jobs.readSource(
        siteId,
        { body, contentType: headers['content-type'] ?? '' },
        signal,
      );
      // An address that no client may write is not stored either.
      return page.text !== null ? { ...page, url: webUrl.safeParse(visit.url).data ?? url } : page;
    } catch (error) {
      if (error instanceof JobTooLarge) return withoutSource(error.message);
      throw error;
    }
  },
});
