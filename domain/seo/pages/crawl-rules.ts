import type { Fault } from '../scan-kind.ts';
import { pageAddress } from '../address.ts';
import type { JsonLdReport } from './json-ld.ts';
import type { PageFacts } from './facts.ts';

type CrawlFault = Fault<'site-crawl'>;
type Facts = Omit<PageFacts, 'jsonLd'> & { readonly jsonLd?: JsonLdReport };

/** Rules that a page by itself breaks or keeps. */
export const pageRules = [
  'missing-title',
  'missing-description',
  'noindex',
  'canonical-mismatch',
  'mixed-content',
] as const;

/** Rules about how an address answers. */
export const addressRules = ['broken-page', 'redirect-chain', 'redirect-loop', 'blocked-by-robots'] as const;

/** As many examples as a person reads. */
const EXAMPLES = 10;

/** Whether search engines are asked to leave a page out. */
export const isNoindex = (robots: readonly string[]): boolean =>
  robots.some((directive) => directive === 'noindex' || directive === 'none');

/** The faults of an answered page. */
export function faultsOfPage(url: string, facts: Facts): CrawlFault[] {
  const faults: CrawlFault[] = [];
  const add = (rule: CrawlFault['rule'], evidence: CrawlFault['evidence'] = {}): void =>
    void faults.push({ rule, subject: url, url, articleId: null, evidence });
  if ((facts.title ?? '') === '') add('missing-title');
  if ((facts.description ?? '') === '') add('missing-description');
  if (isNoindex(facts.robots)) add('noindex', { robots: facts.robots });
  if (pointsElsewhere(url, facts.canonicals)) add('canonical-mismatch', { canonicals: facts.canonicals });
  const { insecureLoads: loads } = facts;
  if (url.startsWith('https:') && loads.length > 0)
    add('mixed-content', { total: loads.length, urls: loads.slice(0, EXAMPLES) });
  return faults;
}

/** Whether a page names another one as the one to be shown. A query may be left out: such names are for that. */
export function pointsElsewhere(url: string, canonicals: readonly (string | null)[]): boolean {
  const bare = new URL(url);
  bare.search = '';
  return canonicals.some((canonical) => canonical !== url && canonical !== pageAddress(bare));
}

/** Whether a page stands for itself, and not for the one without its query. */
export const isItsOwn = (url: string, canonicals: readonly (string | null)[]): boolean =>
  canonicals.every((canonical) => canonical === url);

/** A page that a crawl remembers. */
export interface RememberedPage {
  readonly key: string;
  readonly articleId: string | null;
  readonly title: string;
}

/** One fault for each of several pages with the same title. */
export function duplicateTitles(pages: readonly RememberedPage[]): CrawlFault[] {
  const byTitle = Map.groupBy(pages, ({ title }) => title.toLowerCase());
  return [...byTitle.values()]
    .filter((same) => same.length > 1)
    .flatMap((same) =>
      same.map(({ key, articleId, title }) => ({
        rule: 'duplicate-title' as const,
        subject: key,
        url: key,
        articleId,
        evidence: {
          title,
          pages: same.length,
          others: same
            .filter((other) => other.key !== key)
            .slice(0, EXAMPLES)
            .map((other) => other.key),
        },
      })),
    );
}
