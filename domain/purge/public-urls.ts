import { z } from 'zod';
import { slugPattern } from '../../packages/base/slugs.ts';

/** The kinds of terms that articles have. */
export const termKinds = ['category', 'tag', 'author'] as const;

/** The kinds of pages that a blog has. */
export const pageKinds = ['article', ...termKinds] as const;

export type PageKind = (typeof pageKinds)[number];

/** A category, a tag or an author, as its page names it. */
export interface NamedTerm {
  readonly kind: (typeof termKinds)[number];
  readonly slug: string;
}

const path = z.string();

/** The path of each kind of page, with `{slug}` once. */
export const urlPathsRow = z.object({ article: path, category: path, tag: path, author: path });

export type UrlPaths = z.infer<typeof urlPathsRow>;

/** The settings of the addresses of a blog. */
export interface Blog {
  readonly domain: string;
  readonly url_paths: UrlPaths;
}

/** The first page of a blog. */
export const homeUrl = ({ domain }: Pick<Blog, 'domain'>): string => encodedUrl(`https://${domain}/`);

/** The address of a page of a blog (docs/spec/rulings.md, 20). */
export const publicUrl = ({ domain, url_paths: paths }: Blog, kind: PageKind, slug: string): string =>
  encodedUrl(`https://${domain}${paths[kind].replace('{slug}', () => slug)}`);

/** The same address in ASCII, as files and caches compare it. */
export const encodedUrl = (url: string): string => URL.parse(url)?.href ?? url;

/**
 * The slug of the page of a kind that has an address; null if no such page can have it. It is the opposite of
 * `publicUrl`, but ignores the scheme, a query, a fragment and a slash at the end.
 */
export function slugOf({ domain, url_paths: paths }: Blog, kind: PageKind, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  // Parsed as well, so that letters of every script have the same form in both.
  const page = new URL(`${protocol}//${domain}${paths[kind]}`);
  const [before = '', after = ''] = page.pathname.split('%7Bslug%7D');
  const path = withoutSlash(pathname);
  const end = withoutSlash(after);
  if (host !== page.host || !path.startsWith(before) || !path.endsWith(end)) return null;
  const slug = path.slice(before.length, path.length - end.length);
  return slugPattern.test(slug) ? slug : null;
}

export const articleSlugOf = (blog: Blog, url: string): string | null => slugOf(blog, 'article', url);

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
