import { operations } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { List } from './list.ts';
import type { AnyOptions, Operation } from './operation.ts';
import type { Result } from './result.ts';
import { retryWithin } from './retry.ts';
import type { Failure } from './retry.ts';
import { send } from './send.ts';
import type { Transport } from './send.ts';

export interface PressworkOptions {
  /** A key of the Site; in a browser a publishable one. Only device sign-in needs none. */
  readonly apiKey?: string | undefined;
  /** Including `/v1`. */
  readonly baseUrl: string;
  /** For each try, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first one; 5 by default. */
  readonly maxRetries?: number | undefined;
  /** Nothing is tried again later than this after the first try, in milliseconds; 120,000 by default. */
  readonly maxElapsedMs?: number | undefined;
  /** Instead of `maxRetries` and `maxElapsedMs`: the milliseconds to wait before the next try, or null to give up. */
  readonly retry?: ((failure: Failure) => number | null) | undefined;
  /** For every call without a signal of its own. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** A client of the API, with a method for each operation under its resource. */
export type Presswork = Resources;

interface PressworkConstructor {
  /** @throws TypeError for a malformed base URL or key */
  new (options: PressworkOptions): Presswork;
}

/** By client, so that neither the client nor its log lines have the key. */
const transports = new WeakMap<Presswork, Transport>();

/** @throws TypeError if the argument is not a client */
export function transportOf(presswork: Presswork): Transport {
  const transport = transports.get(presswork);
  if (transport === undefined) throw new TypeError('The first argument must be a Presswork client.');
  return transport;
}

// Its methods come from the table of operations.
// oxlint-disable-next-line typescript/no-extraneous-class
export const Presswork = class Presswork {
  constructor({ apiKey, baseUrl, ...options }: PressworkOptions) {
    if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new TypeError('baseUrl must be an http(s) URL.');
    // Not repeated in the message, as a header's would be.
    if (apiKey !== undefined && !/^\w+$/.test(apiKey)) throw new TypeError('apiKey must be an API key.');
    const { maxRetries = 5, maxElapsedMs = 120_000, timeoutMs = 30_000 } = options;
    const transport: Transport = {
      apiKey,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      timeoutMs,
      signal: options.signal,
      // Called without an object, which browsers insist on.
      fetch: options.fetch ?? ((...args) => fetch(...args)),
      retry: options.retry ?? retryWithin({ maxRetries, maxElapsedMs }),
    };
    const self = this as unknown as Resources & Record<string, Record<string, unknown>>;
    transports.set(self, transport);
    for (const [id, operation] of Object.entries(operations)) {
      const [resource = '', name] = id.split('.');
      const method = (...args: unknown[]): unknown => call(transport, id, operation, args);
      if (name === undefined) Object.assign(self, { [resource]: method });
      else (self[resource] ??= {})[name] = method;
    }
  }
} as unknown as PressworkConstructor;

function call(transport: Transport, id: string, operation: Operation, args: readonly unknown[]): unknown {
  const { pageSize } = operation;
  const load = async (cursor?: string, all = false): Promise<Result<object>> => {
    const more = cursor !== undefined ? { cursor } : {};
    const limit = all && pageSize ? { limit: pageSize } : {};
    return send(transport, requestOf(id, operation, args, limit, more));
  };
  return pageSize === undefined ? load() : new List(load as ConstructorParameters<typeof List>[0]);
}

/**
 * @param fallback query parameters that the given ones override
 * @param override query parameters that override the given ones
 * @throws TypeError for arguments that the operation does not have
 */
function requestOf(
  id: string,
  { request, input, options: taken = [] }: Operation,
  args: readonly unknown[],
  fallback: object,
  override: object,
): Parameters<typeof send>[1] {
  const rest = [...args];
  const [method = '', path = ''] = request.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(id, name, rest.shift()));
  const given = input === undefined ? undefined : rest.shift();
  const options = (rest.shift() ?? {}) as AnyOptions;
  for (const [name, value] of Object.entries(options)) {
    const known = name === 'signal' || (taken as readonly string[]).includes(name);
    if (!known && value !== undefined) throw new TypeError(`${id} has no option ${name}.`);
  }
  const query = input === 'query' ? queryString({ ...fallback, ...(given as object), ...override }) : '';
  return {
    method,
    path: filled + query,
    headers: headersOf(id, taken, options),
    body: input === 'body' ? given : undefined,
    signal: options.signal,
  };
}

/** A dot or an empty segment would name another path. */
function segment(id: string, name: string, given: unknown): string {
  // Revisions have numbers.
  const value = Number.isInteger(given) ? String(given) : given;
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`${id}: ${name} must be a string that is not empty.`);
  }
  return encodeURIComponent(value);
}

/** Fields are one value with commas; other lists are repeated. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) && name !== 'fields' ? value : [value];
    for (const each of values) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function headersOf(id: string, taken: readonly string[], options: AnyOptions): Record<string, string> {
  const {
    ifMatch,
    approval,
    idempotencyKey = taken.includes('idempotencyKey') ? newKey() : undefined,
  } = options;
  const etag = typeof ifMatch === 'object' ? ifMatch.meta.etag : ifMatch;
  if (etag === null || etag === '') throw new TypeError(`${id}: ifMatch has no ETag.`);
  return {
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(etag !== undefined && { 'if-match': etag }),
    ...(approval !== undefined && { 'service-approval': approval }),
  };
}

/** Not `randomUUID`, which pages without TLS do not have. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
