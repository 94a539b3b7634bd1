import { LRUCache } from 'lru-cache';
import { isAway, isRetryable, ranOutOfTime } from '../db/failures.ts';

/** How many are known at most. Those beyond are tried at each look. */
const MOST = 1_000;
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Whether the same may succeed a moment later: a row was locked, or the database away. */
export const isOfTheMoment = (error: unknown): boolean =>
  ranOutOfTime(error) || isAway(error) || isRetryable(error);

/** What cannot be published is left aside for a second, and after each further failure for twice as long. */
export class SetAside {
  readonly #failed = new LRUCache<string, { readonly ms: number; readonly until: number }>({ max: MOST });

  /** @returns for how long, in ms; 0 if the error is of the moment */
  add(id: string, error: unknown, now: Date): number {
    if (isOfTheMoment(error)) return 0;
    const ms = Math.min(LONGEST_MS, (this.#failed.get(id)?.ms ?? FIRST_MS / 2) * 2);
    this.#failed.set(id, { ms, until: now.getTime() + ms });
    return ms;
  }

  /** Those that are to be left alone at a moment. */
  at(now: Date): string[] {
    return [...this.#failed].flatMap(([id, { until }]) => (until > now.getTime() ? [id] : []));
  }

  /** When the first of those may be tried again; null if there is none. */
  next(now: Date): Date | null {
    const times = [...this.#failed.values()]
      .map(({ until }) => until)
      .filter((until) => until > now.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }
}

/** The earlier of two times. */
export function earliest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
