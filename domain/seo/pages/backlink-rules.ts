import type { Fault } from '../scan-kind.ts';
import { normalOctets } from '../address.ts';
import type { PageLink } from './facts.ts';

type Found = Pick<Fault<'backlinks'>, 'rule' | 'evidence'>;

/** The links of a page by their targets; null for those that are not there. */
export type LinksByTarget = ReadonlyMap<string, PageLink | null>;

/** The link of a page to each target: the one that search engines follow, if there are several. */
export function linksTo(links: readonly PageLink[], targets: readonly string[]): LinksByTarget {
  const byAddress = Map.groupBy(links, ({ url }) => sameAddress(url));
  return new Map(
    targets.map((target) => {
      const found = byAddress.get(sameAddress(target)) ?? [];
      return [target, found.find(({ rel }) => !isUnfollowed(rel)) ?? found[0] ?? null];
    }),
  );
}

/** Links count the same with or without `www.`, TLS and a slash at the end, which sites change without notice. */
function sameAddress(address: string): string {
  const { host, pathname, search } = new URL(address);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return normalOctets(`${host.replace(/^www\./, '')}${path}${search}`);
}

const unfollowed = new Set(['nofollow', 'ugc', 'sponsored']);

const isUnfollowed = (rel: readonly string[]): boolean => rel.some((token) => unfollowed.has(token));

/** The faults of a link that is there. */
export function faultsOfLive(
  { rel }: PageLink,
  robots: readonly string[],
  target: { readonly status: number } | null,
): Found[] {
  const page = robots.filter((directive) => directive === 'nofollow' || directive === 'none');
  const faults: Found[] = [];
  if (isUnfollowed(rel) || page.length > 0)
    faults.push({ rule: 'nofollow-backlink', evidence: { rel: [...new Set([...rel, ...page])] } });
  if (target !== null && missing.has(target.status))
    faults.push({ rule: 'backlink-to-missing-page', evidence: { status: target.status } });
  return faults;
}

const missing = new Set([404, 410]);

/** Whether a page is gone for good, and its links with it. */
export const isGone = (status: number): boolean => missing.has(status);
