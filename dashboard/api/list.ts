import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Presswork } from '../../sdk/src/index.ts';
import { useSite } from './site.ts';

const PAGE = 50;
/** A list with more pages is read again after a change only: each page is a request, and they are limited. */
const MANY_PAGES = 10;

interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
}

export interface ListOptions<Row, P = Page<Row>> {
  /** The resource and the filters, such as `['articles', filters]`; the Site is added. */
  readonly key: readonly [resource: string, ...rest: unknown[]];
  /** Reads a page. Always pass `page` on: it has the limit and the cursor. */
  readonly load: (
    presswork: Presswork,
    page: { limit: number; cursor?: string },
    options: { signal: AbortSignal },
  ) => PromiseLike<P & Page<Row>>;
  /** Milliseconds after which the pages are read again, or false; a function decides by the rows that were read. */
  readonly refreshMs?: number | false | ((rows: readonly Row[]) => number | false);
  readonly enabled?: boolean;
}

export interface LoadedList<Row, P = Page<Row>> {
  readonly rows: readonly Row[];
  /** The first page, for its members beside the rows; undefined until it is read. */
  readonly firstPage: P | undefined;
  /** Nothing has been read yet. */
  readonly isLoading: boolean;
  /** Rows of the previous filters are shown while those of the new ones are read. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/** A list of the API, page by page. */
export function useList<Row, P = Page<Row>>({
  key,
  load,
  refreshMs = false,
  enabled = true,
}: ListOptions<Row, P>): LoadedList<Row, P> {
  const { id, presswork } = useSite();
  const [resource, ...rest] = key;
  const query = useInfiniteQuery({
    queryKey: [id, resource, 'list', ...rest],
    queryFn: ({ pageParam, signal }) =>
      Promise.resolve(
        load(presswork, { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) }, { signal }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: ({ state }) => !isLong(state.data),
    refetchInterval: ({ state: { data } }) => {
      if (isLong(data)) return false;
      return typeof refreshMs === 'function'
        ? refreshMs(data?.pages.flatMap(({ items }) => items) ?? [])
        : refreshMs;
    },
    enabled,
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    firstPage: query.data?.pages[0],
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    // One that is under way is not begun again.
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    reload: () => void query.refetch(),
  };
}

const isLong = (data: { readonly pages: readonly unknown[] } | undefined): boolean =>
  (data?.pages.length ?? 0) > MANY_PAGES;
