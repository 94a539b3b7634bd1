import { linksTo } from '../../domain/seo/pages/backlink-rules.ts';
import type { LinksByTarget } from '../../domain/seo/pages/backlink-rules.ts';
import { examineJsonLd } from '../../domain/seo/pages/json-ld.ts';
import type { JsonLdReport } from '../../domain/seo/pages/json-ld.ts';
import type { PageFacts } from '../../domain/seo/pages/facts.ts';
import { readPage as factsOf } from './read-page.ts';
import type { PageToRead } from './read-page.ts';
import { readSitemap as sitemapOf } from './read-sitemap.ts';
import type { Sitemap, SitemapToRead } from './read-sitemap.ts';
import { allows, readRobots } from './robots.ts';
import { unread } from './unread.ts';
import { PRODUCT } from './visit.ts';

/** A page as the rules see it: its facts, with the facts of its JSON-LD instead of the texts. */
export interface Page extends Omit<PageFacts, 'jsonLd'> {
  readonly jsonLd: JsonLdReport;
}

/** The state of links that a page should have. */
export interface Backlinks {
  readonly links: LinksByTarget;
  readonly robots: readonly string[];
}

/**
 * A job that does not fail, whatever strangers wrote: an error is one of ours, and ends the scan if it happens again and
 * again, which one page must not.
 */
const reading =
  <Input, Result, Unread>(otherwise: Unread, read: (input: Input) => Result) =>
  (input: Input): Result | Unread => {
    try {
      return read(input);
    } catch {
      return otherwise;
    }
  };

const robotsOf = (bytes: Uint8Array) => readRobots(new TextDecoder().decode(bytes), PRODUCT);

export const mayVisit = reading(
  unread.mayVisit,
  ({ bytes, url }: { readonly bytes: Uint8Array; readonly url: string }): boolean =>
    allows(robotsOf(bytes), new URL(url)),
);

export const sitemapsOf = reading(
  unread.sitemapsOf,
  ({ bytes }: { readonly bytes: Uint8Array }): readonly string[] => robotsOf(bytes).sitemaps,
);

export const readPage = reading(unread.readPage, (page: PageToRead): Page => {
  const facts = factsOf(page);
  return { ...facts, jsonLd: examineJsonLd(facts.jsonLd) };
});

export const readLinks = reading(
  unread.readLinks,
  ({ page, targets }: { readonly page: PageToRead; readonly targets: readonly string[] }): Backlinks => {
    const { links, robots } = factsOf(page);
    return { links: linksTo(links, targets), robots };
  },
);

export const readSitemap = reading(unread.readSitemap, (sitemap: SitemapToRead): Sitemap =>
  sitemapOf(sitemap),
);
