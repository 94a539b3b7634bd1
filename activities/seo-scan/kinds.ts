import type { ScanKinds } from '../seo-scan.ts';
import { createInternalLinks } from './internal-links.ts';
import { createKeywordOverlap } from './keyword-overlap.ts';
import { createOnPage } from './on-page.ts';
import type { ArticlePorts } from './on-page.ts';

/** The kinds that read articles only. */
export const createArticleKinds = (
  ports: ArticlePorts,
): Pick<ScanKinds, 'on-page' | 'internal-links' | 'keyword-overlap'> => ({
  'on-page': createOnPage(ports),
  'internal-links': createInternalLinks(ports),
  'keyword-overlap': createKeywordOverlap(ports),
});
