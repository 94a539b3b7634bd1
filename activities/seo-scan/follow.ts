import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import { TooBusy } from '../../adapters/pages/visit.ts';
import type { Visit, VisitOptions } from '../../adapters/pages/visit.ts';
import type { Followed } from '../../domain/seo/pages/link-rules.ts';

/** Hosts that are asked at the same time: each for one address after the other. */
const HOSTS_AT_ONCE = 8;
/** If their pages are read, which takes memory. */
const READ_AT_ONCE = 4;
/** How long a step begins further visits. The longest visit and this are shorter than a step may take. */
const STEP_MS = 2 * 60_000;

/**
 * Visits addresses, each once: those of one host in turn, and several hosts at the same time. What there is no time for
 * and what has no turn is left out, but at least one is visited.
 *
 * @param keep the part of a visit to keep
 * @throws TooBusy if not even one has a turn
 */
export async function visitAll<T>(
  pages: Pick<PageVisitor, 'visit'>,
  urls: readonly string[],
  options: VisitOptions,
  keep: (visit: Visit, url: string) => Promise<T> | T,
): Promise<ReadonlyMap<string, T>> {
  const until = performance.now() + STEP_MS;
  const kept = new Map<string, T>();
  const waiting = [...Map.groupBy(new Set(urls), (url) => new URL(url).host).values()];
  const refused: TooBusy[] = [];
  const isOver = (): boolean => kept.size > 0 && performance.now() > until;
  const inTurn = async (host: readonly string[]): Promise<void> => {
    for (const url of host) {
      if (isOver()) return;
      kept.set(url, await keep(await pages.visit(url, options), url));
    }
  };
  const work = async (): Promise<void> => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift())
      await inTurn(host).catch((error: unknown) => refused.push(asBusy(error)));
  };
  await Promise.all(Array.from({ length: options.read ? READ_AT_ONCE : HOSTS_AT_ONCE }, work));
  const [busy] = refused;
  if (kept.size === 0 && busy !== undefined) throw busy;
  return kept;
}

/** Takes one after the other, as `visitAll` does those of one host. */
export async function oneByOne<T, R>(all: readonly T[], take: (one: T) => Promise<R>): Promise<R[]> {
  const until = performance.now() + STEP_MS;
  const taken: R[] = [];
  try {
    for (const one of all) {
      if (taken.length > 0 && performance.now() > until) break;
      taken.push(await take(one));
    }
  } catch (error) {
    if (taken.length === 0) throw error;
    asBusy(error);
  }
  return taken;
}

/** @throws anything else */
function asBusy(error: unknown): TooBusy {
  if (error instanceof TooBusy) return error;
  throw error;
}

/** A visit, for the rules about links. */
export function followed(visit: Visit): Followed {
  if (visit.outcome === 'loop' || visit.outcome === 'forbidden') return { outcome: visit.outcome };
  // Links may leave their origin.
  if (visit.outcome === 'left') return { outcome: 'forbidden' };
  if (visit.outcome === 'failed') return { outcome: 'failed', cause: visit.cause };
  return { outcome: 'answered', status: visit.status, url: visit.url, hops: visit.hops.length };
}
