import { examineJsonLd } from '../../domain/seo/pages/json-ld.ts';
import type { JsonLdReport } from '../../domain/seo/pages/json-ld.ts';
import type { PageFacts } from '../../domain/seo/pages/facts.ts';
import { readPage as factsOf } from './read-page.ts';
import type { PageToRead } from './read-page.ts';
import { readSitemap } from './read-sitemap.ts';
import { allows, readRobots } from './robots.ts';
import { PRODUCT } from './visit.ts';

/** A page as the rules see it: its facts, with what its JSON-LD says instead of the texts. */
export interface Page extends Omit<PageFacts, 'jsonLd'> {
  readonly jsonLd: JsonLdReport;
}

const robotsOf = (bytes: Uint8Array) => readRobots(new TextDecoder().decode(bytes), PRODUCT);

/** The jobs that read what other hosts answered. */
export const jobs = {
  mayVisit: ({ bytes, url }: { readonly bytes: Uint8Array; readonly url: string }): boolean =>
    allows(robotsOf(bytes), new URL(url)),
  sitemapsOf: ({ bytes }: { readonly bytes: Uint8Array }): readonly string[] => robotsOf(bytes).sitemaps,
  readPage: (page: PageToRead): Page => {
    const facts = factsOf(page);
    return { ...facts, jsonLd: examineJsonLd(facts.jsonLd) };
  },
  readSitemap,
};

export type Jobs = typeof jobs;
