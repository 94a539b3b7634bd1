import type { Page } from '../../adapters/pages/jobs.ts';
import { isHtml } from '../../adapters/pages/visitor.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Visit } from '../../adapters/pages/visit.ts';
import { pageAddress } from '../../domain/seo/address.ts';
import { isGone } from '../../domain/seo/pages/backlink-rules.ts';
import { addressRules, faultsOfPage, isItsOwn, pageRules } from '../../domain/seo/pages/crawl-rules.ts';
import type { Rule } from '../../domain/seo/rules.ts';
import type { Fault, Memo, NewTarget, ScanWork, Target } from '../../domain/seo/scan-kind.ts';

/** The result of one address of a crawl. */
export interface Crawled {
  readonly key: string;
  readonly faults: readonly Fault<'site-crawl'>[];
  /** The rules that it was checked against. */
  readonly rules: readonly Rule<'site-crawl'>[];
  /** Whether it is paid for: redirects, files and forbidden addresses are no pages. */
  readonly counts: boolean;
  readonly memo: Memo;
  readonly newTargets: readonly NewTarget[];
}

const TITLE_KEPT = 300;

/** Visits an address of a crawl, and holds its answer against the rules. */
export async function crawl(pages: PageVisitor, work: ScanWork, target: Target): Promise<Crawled> {
  const { key, articleId } = target;
  const options = { siteId: work.siteId, signal: work.signal, read: true, within: new URL(key).origin };
  const visit = await pages.visit(key, options);
  const faults = faultsOfVisit(target, visit);
  const crawled = { key, faults, rules: rulesOfVisit(visit), memo: {}, newTargets: [] };
  if (visit.hops.length > 0) {
    // Where it leads is looked at by itself.
    const leadsTo = visit.outcome === 'answered' ? linkedTargets(key, [pageAddress(new URL(visit.url))]) : [];
    const isFollowed = leadsTo.length > 0 || visit.outcome === 'left';
    return { ...crawled, counts: false, memo: isFollowed ? {} : unread, newTargets: leadsTo };
  }
  if (visit.outcome !== 'answered') return { ...crawled, counts: visit.outcome === 'failed', memo: unread };
  if (isError(visit.status)) return { ...crawled, counts: true, memo: isGone(visit.status) ? {} : unread };
  const page = await pages.read(visit, options);
  if (page === null) return { ...crawled, counts: false, memo: isHtml(visit) ? unread : {} };
  return {
    key,
    faults: [...faults, ...faultsOfPage(key, page).map((fault) => ({ ...fault, articleId }))],
    rules: allRules,
    counts: true,
    memo: memoOf(key, page),
    newTargets: linkedTargets(
      key,
      page.links.map(({ url }) => url),
    ),
  };
}

/** Of an address that may have a page with links, which it did not show. */
const unread: Memo = { unread: true };

const allRules = [...addressRules, ...pageRules];
const ofForbidden = ['blocked-by-robots'] as const;

/** For an answer that is not a page: rules for pages are no longer broken there. */
function rulesOfVisit(visit: Visit): readonly Rule<'site-crawl'>[] {
  if (visit.outcome === 'forbidden') return ofForbidden;
  const isNoPage = visit.hops.length > 0 || (visit.outcome === 'answered' && isGone(visit.status));
  return isNoPage ? allRules : addressRules;
}

const isError = (status: number): boolean => status >= 400;

/** That it was read, and the title of a page that stands for itself, to find others with the same. */
const memoOf = (url: string, { title, canonicals }: Page): Memo => ({
  page: true,
  ...(title !== null && title !== '' && isItsOwn(url, canonicals) && { title: title.slice(0, TITLE_KEPT) }),
});

/** Pages of the same origin that a page leads to. A page that links to itself is not linked for that. */
function linkedTargets(from: string, urls: readonly string[]): NewTarget[] {
  const { origin } = new URL(from);
  const linked = new Set(urls.filter((url) => url !== from && new URL(url).origin === origin));
  return [...linked].map((url) => ({
    key: url,
    url,
    articleId: null,
    memo: { linked: true },
    examine: true,
  }));
}

/** The faults of an address's answer. */
function faultsOfVisit({ key, articleId }: Target, visit: Visit): Fault<'site-crawl'>[] {
  const { hops } = visit;
  const fault = (rule: Fault<'site-crawl'>['rule'], evidence: Fault['evidence']): Fault<'site-crawl'>[] => [
    { rule, subject: key, url: key, articleId, evidence },
  ];
  if (visit.outcome === 'loop') return fault('redirect-loop', { hops });
  if (visit.outcome === 'forbidden') return hops.length > 0 ? [] : fault('blocked-by-robots', {});
  const chain = hops.length > 1 ? fault('redirect-chain', { hops }) : [];
  if (visit.outcome === 'left') return chain;
  if (visit.outcome === 'failed') return [...chain, ...fault('broken-page', { error: visit.cause, hops })];
  // The page that it leads to is a page of its own.
  if (hops.length > 0) return chain;
  return isError(visit.status) ? fault('broken-page', { status: visit.status }) : [];
}
