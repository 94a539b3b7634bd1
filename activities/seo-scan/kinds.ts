import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import type { ScanKinds } from '../seo-scan.ts';
import { createBacklinks } from './backlinks.ts';
import { createInternalLinks } from './internal-links.ts';
import { createKeywordOverlap } from './keyword-overlap.ts';
import { createOnPage } from './on-page.ts';
import type { ArticlePorts } from './on-page.ts';
import { createOutboundLinks } from './outbound-links.ts';
import { createSiteCrawl } from './site-crawl.ts';
import { createStructuredData } from './structured-data.ts';

export interface KindPorts extends ArticlePorts {
  readonly pages: PageVisitor;
  readonly clock: Clock;
}

/** How each kind of scan is done. */
export const createScanKinds = (ports: KindPorts): ScanKinds => ({
  'on-page': createOnPage(ports),
  'internal-links': createInternalLinks(ports),
  'keyword-overlap': createKeywordOverlap(ports),
  'site-crawl': createSiteCrawl(ports),
  'structured-data': createStructuredData(ports),
  'outbound-links': createOutboundLinks(ports),
  backlinks: createBacklinks(ports),
});
