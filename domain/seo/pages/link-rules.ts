import type { Outline } from '../articles/outline.ts';
import { ruleNamesOf } from '../rules.ts';
import type { Rule } from '../rules.ts';
import type { Fault } from '../scan-kind.ts';

/** The result of following a link. */
export type Followed =
  | { readonly outcome: 'answered'; readonly status: number; readonly url: string; readonly hops: number }
  | { readonly outcome: 'loop' }
  | { readonly outcome: 'failed'; readonly cause: string }
  /** It was not followed: robots.txt forbids it. */
  | { readonly outcome: 'forbidden' };

/** What is known of a link: everything; not whether it is broken; not even where it leads. */
const all = ruleNamesOf('outbound-links');
const unlessBroken: typeof all = ['insecure-link', 'redirected-link'];
const ofItself: typeof all = ['insecure-link'];

/** Answers to a program that say nothing about a person's view. */
const refusals = new Set([401, 403, 407, 408, 425, 429, 451, 999]);

/** Why a link leads nowhere; null if it does not, or if that is not known. */
export function breakOf(followed: Followed): Readonly<Record<string, unknown>> | null {
  if (followed.outcome === 'loop') return { error: 'redirect loop' };
  if (followed.outcome === 'failed') return { error: followed.cause };
  if (followed.outcome === 'forbidden') return null;
  const { status } = followed;
  return status >= 400 && !refusals.has(status) ? { status } : null;
}

/** The rules that a link was checked against. */
export function rulesOfLink(followed: Followed): readonly Rule<'outbound-links'>[] {
  if (followed.outcome === 'forbidden') return ofItself;
  return followed.outcome === 'answered' && refusals.has(followed.status) ? unlessBroken : all;
}

/** The faults of a link of an article. */
export function faultsOfLink(
  url: string,
  followed: Followed,
): Pick<Fault<'outbound-links'>, 'rule' | 'evidence'>[] {
  const faults: Pick<Fault<'outbound-links'>, 'rule' | 'evidence'>[] = [];
  if (url.startsWith('http:')) faults.push({ rule: 'insecure-link', evidence: {} });
  const broken = breakOf(followed);
  if (broken !== null) faults.push({ rule: 'broken-link', evidence: broken });
  else if (followed.outcome === 'answered' && followed.hops > 0)
    faults.push({ rule: 'redirected-link', evidence: { leads_to: followed.url } });
  return faults;
}

/** As long as the addresses that are fetched. */
const URL_LENGTH = 2_000;

/** The addresses to which an article leads on other sites, and any by plain http; each once, without fragments. */
export function outboundLinks(
  { domain }: { readonly domain: string },
  links: Outline['links'],
  most: number,
): readonly string[] {
  const found = new Set<string>();
  for (const { href } of links) {
    const url = href.length <= URL_LENGTH ? URL.parse(href) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    if (url.protocol === 'https:' && url.host === new URL(`https://${domain}`).host) continue;
    url.hash = '';
    if (found.size < most) found.add(url.href);
  }
  return [...found];
}
