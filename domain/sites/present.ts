import { publicFolder } from '../media/reservation.ts';
import type { SiteSettings } from './settings.ts';

/** @param publicOrigin of the service, under which its public files are */
export const presentSite = (site: SiteSettings, publicOrigin: string) => ({
  name: site.name,
  domain: site.domain,
  locale: site.locale,
  timezone: site.timezone,
  url_paths: {
    article: site.url_paths.article,
    category: site.url_paths.category,
    tag: site.url_paths.tag,
    author: site.url_paths.author,
  },
  preview_url: site.preview_url,
  feed_content: site.feed_content,
  required_reviews: site.required_reviews,
  ai_disclosure: site.ai_disclosure,
  max_unsupported_claims: site.max_unsupported_claims,
  public_base_url: `${publicOrigin}/${publicFolder(site.id)}`,
  created_at: site.created_at.toISOString(),
});
