import type { Options, Presswork, Result, SeoScan } from '../../../sdk/src/index.ts';
import type { kinds } from './search.ts';

export type ScanKind = (typeof kinds)[number];

export interface StartInput {
  readonly kind: ScanKind;
  readonly resume_scan_id?: string;
  /** Of a crawl. */
  readonly max_pages?: number;
}

/** Each kind is an operation of its own. */
export function startScan(
  { seo }: Presswork,
  { kind, max_pages: pages, ...body }: StartInput,
  options: Options<'idempotencyKey'>,
): Promise<Result<SeoScan>> {
  switch (kind) {
    case 'site-crawl':
      return seo.startSiteCrawl({ ...body, ...(pages !== undefined && { max_pages: pages }) }, options);
    case 'on-page':
      return seo.startOnPageScan(body, options);
    case 'structured-data':
      return seo.startStructuredDataScan(body, options);
    case 'outbound-links':
      return seo.startOutboundLinkScan(body, options);
    case 'backlinks':
      return seo.startBacklinkScan(body, options);
    case 'internal-links':
      return seo.startInternalLinkScan(body, options);
    case 'keyword-overlap':
      return seo.startKeywordOverlapScan(body, options);
  }
}
