import { articlePathOf } from '../article-address.ts';
import type { ScannedArticle, ScannedSite } from './read.ts';

/** Where readers find an article; null if it is not published. */
export const publicUrlOf = (
  site: Pick<ScannedSite, 'id' | 'domain'>,
  { status, slug }: Pick<ScannedArticle, 'status' | 'slug'>,
): string | null =>
  status === 'published' && slug !== null
    ? `https://${site.domain}${articlePathOf(site).replace('{slug}', slug)}`
    : null;
