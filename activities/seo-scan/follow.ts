import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Visit, VisitOptions } from '../../adapters/pages/visit.ts';
import type { Followed } from '../../domain/seo/pages/link-rules.ts';

/** Hosts that are asked at the same time: each for one address after the other. */
const HOSTS_AT_ONCE = 8;

/** Visits addresses, each once: those of one host in turn, and several hosts at the same time. */
export async function visitAll(
  pages: PageVisitor,
  urls: readonly string[],
  options: VisitOptions,
): Promise<ReadonlyMap<string, Visit>> {
  const visits = new Map<string, Visit>();
  const byHost = Map.groupBy(new Set(urls), (url) => new URL(url).host);
  const waiting = [...byHost.values()];
  const work = async (): Promise<void> => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift())
      for (const url of host) visits.set(url, await pages.visit(url, options));
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work));
  return visits;
}

/** A visit, for the rules about links. */
export function followed(visit: Visit): Followed {
  if (visit.outcome === 'loop' || visit.outcome === 'forbidden') return { outcome: visit.outcome };
  if (visit.outcome === 'failed') return { outcome: 'failed', cause: visit.cause };
  return { outcome: 'answered', status: visit.status, url: visit.url, hops: visit.hops.length };
}
