import type { ScanKinds } from '../../domain/seo/scan-kind.ts';
import { createBacklinks } from './backlinks.ts';
import { createInternalLinks } from './internal-links.ts';
import { createKeywordOverlap } from './keyword-overlap.ts';
import { createOnPage } from './on-page.ts';
import { createOutboundLinks } from './outbound-links.ts';
import { createSiteCrawl } from './site-crawl.ts';
import { createStructuredData } from './structured-data.ts';
import type { Ports } from '../ports.ts';

/** How each kind of scan is done. */
export const createScanKinds = (ports: Pick<Ports, 'db' | 'articles' | 'pages' | 'clock'>): ScanKinds => ({
  'on-page': createOnPage(ports),
  'internal-links': createInternalLinks(ports),
  'keyword-overlap': createKeywordOverlap(ports),
  'site-crawl': createSiteCrawl(ports),
  'structured-data': createStructuredData(ports),
  'outbound-links': createOutboundLinks(ports),
  backlinks: createBacklinks(ports),
});
