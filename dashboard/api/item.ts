import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Presswork } from '../../sdk/src/index.ts';
import { useSite } from '../session/site.ts';

export interface ItemOptions<Item> {
  /** The resource, then its id or whatever else is asked: `['articles', id]`; the Site is added. */
  readonly key: readonly [resource: string, ...rest: unknown[]];
  readonly load: (presswork: Presswork, options: { signal: AbortSignal }) => PromiseLike<Item>;
  /** Milliseconds after which it is read again, or false; a function decides by what was read. */
  readonly refreshMs?: number | false | ((item: Item | undefined) => number | false);
  readonly enabled?: boolean;
}

/** One object of the API. Its `meta.etag` is the version for `ifMatch`. */
export function useItem<Item>({
  key,
  load,
  refreshMs = false,
  enabled = true,
}: ItemOptions<Item>): UseQueryResult<Item> {
  const { id, presswork } = useSite();
  const [resource, ...rest] = key;
  return useQuery({
    queryKey: [id, resource, 'item', ...rest],
    queryFn: ({ signal }) => Promise.resolve(load(presswork, { signal })),
    refetchInterval: typeof refreshMs === 'function' ? ({ state }) => refreshMs(state.data) : refreshMs,
    enabled,
  });
}
