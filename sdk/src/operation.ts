/** The table's entry of an operation. */
export interface Operation {
  /** Its HTTP method, and its path relative to the base URL with `{name}` for parameters. */
  readonly request: string;
  /** The arguments after the path parameters. */
  readonly input?: 'body' | 'query';
  /** The options that it takes besides `signal`. */
  readonly options?: readonly (keyof AllOptions)[];
  /** For a list: the number of items of the largest page, or 0 if that cannot be chosen. */
  readonly pageSize?: number;
}

interface AllOptions {
  /** For a write of your own that has to survive your process. By default each call makes one. */
  readonly idempotencyKey?: string | undefined;
  /** The version that the change is based on: an ETag, or an answer that has one. A newer version is 412. */
  readonly ifMatch?: string | { readonly meta: { readonly etag: string | null } } | undefined;
  /** The id of the approval that an agent's request got. */
  readonly approval?: string | undefined;
  /** Ends requests and waits; the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The last argument of a method. */
export type Options<Name extends keyof AllOptions = never> = Pick<AllOptions, Name | 'signal'>;

/** The options of any operation. */
export type AnyOptions = Options<keyof AllOptions>;
