/** The facts in the headers of an answer. */
export interface Meta {
  /** The version of the object, for `ifMatch`; null if the answer has none. */
  readonly etag: string | null;
  readonly requestId: string | null;
  readonly rateLimit: RateLimit | null;
  /** Whether it is the stored answer to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in Unix seconds. */
  readonly reset: number;
}

/** The `data` of an answer. `meta` is not enumerable: it is not copied, listed or serialized. */
export type Result<Data> = Data & { readonly meta: Meta };

/** An answer without `data`. */
export type Empty = object;

/** A page with other items. */
export type WithItems<Page, Item> = Omit<Page, 'items'> & { items: Item[] };

export function resultOf(data: object, headers: Headers): Result<object> {
  const limit = headers.get('ratelimit-limit');
  const meta: Meta = {
    etag: headers.get('etag'),
    requestId: headers.get('request-id'),
    rateLimit:
      limit === null
        ? null
        : {
            limit: Number(limit),
            remaining: Number(headers.get('ratelimit-remaining')),
            reset: Number(headers.get('ratelimit-reset')),
          },
    replayed: headers.get('idempotency-replayed') === 'true',
  };
  return Object.defineProperty(data, 'meta', { value: meta }) as Result<object>;
}
