import { useQueries } from '@tanstack/react-query';
import type { Presswork } from '../../sdk/src/index.ts';
import { itemQueryKey, useItem } from '../api/item.ts';
import { useSite } from '../api/site.ts';

export type TermKind = 'categories' | 'tags' | 'authors';

export interface Term {
  readonly id: string;
  readonly name: string;
}

/** As many as a picker shows at once; typing finds the others. */
const SHOWN = 50;

/** The terms whose name begins with the text, or the first ones. */
export function useTerms(kind: TermKind, q: string, enabled = true): readonly Term[] {
  const { data } = useItem({
    key: [kind, 'picker', q],
    load: async (presswork, options) => {
      const { items } = await listOf(presswork, kind)({ limit: SHOWN, ...(q !== '' && { q }) }, options);
      return items;
    },
    enabled,
  });
  return data ?? [];
}

/** One term, or null while it is read and if it was deleted. */
export function useTerm(kind: TermKind, id: string | null): Term | null {
  const { data } = useItem({
    key: [kind, id],
    load: (presswork, options): Promise<Term> => presswork[kind].get(id ?? '', options),
    enabled: id !== null,
  });
  return id === null ? null : (data ?? null);
}

/** Terms by their ids, as far as they are read. */
export function useTermsById(kind: TermKind, ids: readonly string[]): Term[] {
  const { id: siteId, presswork } = useSite();
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: itemQueryKey(siteId, [kind, id]),
      queryFn: (): Promise<Term> => presswork[kind].get(id),
    })),
  });
  return results.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

type ListTerms = (
  query: { limit: number; q?: string },
  options: { signal: AbortSignal },
) => PromiseLike<{ readonly items: readonly Term[] }>;

/** The list of a kind, whose pages are alike. */
export const listOf = (presswork: Presswork, kind: TermKind): ListTerms => presswork[kind].list;
