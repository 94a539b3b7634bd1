import type { RememberedPage } from '../../domain/seo/pages/crawl-rules.ts';
import type { KnownTarget } from '../../domain/seo/scan-kind.ts';
import { TARGETS_LIMIT } from '../../domain/seo/targets.ts';

/** A page that others should link to: it is in the sitemap, or of a published article. */
export interface Expected {
  readonly key: string;
  readonly articleId: string | null;
  readonly published: boolean;
}

/** The view of a whole crawl. */
export interface Survey {
  readonly titled: readonly RememberedPage[];
  /** Addresses that showed their content: a page, a file, or that there is nothing any more. */
  readonly looked: ReadonlySet<string>;
  readonly expected: readonly Expected[];
  /** Pages that another one links to, and the start, by `withoutSlash`. */
  readonly linked: ReadonlySet<string>;
  /** Everything that is known, examined or not. */
  readonly seen: ReadonlySet<string>;
  /** Whether every page that is linked was looked at. */
  readonly isWhole: boolean;
  /** Whether any page was read. */
  readonly isRead: boolean;
  /** Whether every address showed its content. */
  readonly isAllRead: boolean;
  /** Whether every sitemap could be read. */
  readonly isSitemapRead: boolean;
}

/** @param among the articles whose pages others should link to; undefined for all that are published */
export async function survey(
  targets: AsyncIterable<KnownTarget>,
  among: readonly string[] | undefined,
): Promise<Survey> {
  const titled: RememberedPage[] = [];
  const looked = new Set<string>();
  const expected: Expected[] = [];
  const linked = new Set<string>();
  const seen = new Set<string>();
  const wanted = among && new Set(among);
  let isWhole = true;
  let isRead = false;
  let isAllRead = true;
  let isSitemapRead = true;
  for await (const { key, articleId, memo, examined: wasExamined } of targets) {
    seen.add(key);
    if (!wasExamined && memo['linked'] === true) isWhole = false;
    if (memo['unread'] === true) isAllRead = false;
    else if (wasExamined) looked.add(key);
    if (memo['unreadSitemap'] === true) isSitemapRead = false;
    if (memo['page'] === true) isRead = true;
    if (typeof memo['title'] === 'string') titled.push({ key, articleId, title: memo['title'] });
    if (memo['linked'] === true || memo['start'] === true) linked.add(withoutSlash(key));
    const published = memo['published'] === true && (wanted?.has(articleId ?? '') ?? true);
    if (memo['sitemap'] === true || published) expected.push({ key, articleId, published });
  }
  // A scan leaves out targets beyond its limit.
  if (seen.size >= TARGETS_LIMIT) isWhole = false;
  return { titled, looked, expected, linked, seen, isWhole, isRead, isAllRead, isSitemapRead };
}

/** Most sites answer the same with and without a slash at the end. */
export const withoutSlash = (url: string): string => url.replace(/\/$/, '');
