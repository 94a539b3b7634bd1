import type { Site } from '../access/authenticate.ts';

/** The path of an article's page, with `{slug}` (docs/spec/rulings.md, 14, PATCH /site). */
export const articlePathOf = (_site: Pick<Site, 'id'>): string => '/{slug}';

/** Where the articles of a Site are. */
export interface ArticleAddresses {
  readonly domain: string;
  /** With `{slug}` once. */
  readonly path: string;
}

/**
 * The slug of the article that an address shows; null if it is not the address of an article. The query, the fragment, a
 * slash at the end and a `www.` before the domain change nothing.
 */
export function slugAt({ domain, path }: ArticleAddresses, url: URL): string | null {
  if (url.hostname.replace(/^www\./, '') !== domain.toLowerCase().replace(/^www\./, '')) return null;
  const [before = '', after = ''] = path.replace(/\/$/, '').split('{slug}');
  const asked = url.pathname.replace(/\/$/, '');
  if (asked.length <= before.length + after.length) return null;
  if (!asked.startsWith(before) || !asked.endsWith(after)) return null;
  const slug = asked.slice(before.length, asked.length - after.length);
  return slug.includes('/') ? null : slug;
}
