import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Presswork } from '../../sdk/src/index.ts';
import { useSite } from './site.ts';
import { isMissing } from './queries.ts';

/** The resource, then its id or whatever else is asked: `['articles', id]`; the Site is added. */
export type ItemKey = readonly [resource: string, ...rest: unknown[]];

export const itemQueryKey = (siteId: string, [resource, ...rest]: ItemKey): readonly unknown[] => [
  siteId,
  resource,
  'item',
  ...rest,
];

export interface ItemOptions<Item> {
  readonly key: ItemKey;
  readonly load: (presswork: Presswork, options: { signal: AbortSignal }) => PromiseLike<Item>;
  /** Milliseconds after which it is read again unless it is missing, or false; a function decides by what was read. */
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
  return useQuery({
    queryKey: itemQueryKey(id, key),
    queryFn: ({ signal }) => Promise.resolve(load(presswork, { signal })),
    refetchInterval: ({ state: { data, error } }) => {
      if (isMissing(error)) return false;
      return typeof refreshMs === 'function' ? refreshMs(data) : refreshMs;
    },
    enabled,
  });
}
