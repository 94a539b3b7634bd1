import type { Seeded } from './seed.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A scenario: requests of one kind, and their expected status. */
export interface Scenario {
  readonly title: string;
  /** The server under load. */
  readonly target: 'limits' | 'api';
  readonly status: number;
  /** Prepares the load. @returns a function that returns the next request */
  readonly prepare: (seeded: Seeded, origin: string) => Promise<() => LoadRequest>;
}

export const get = (key: string, path: string): LoadRequest => ({
  method: 'GET',
  path,
  headers: bearer(key),
});

export const send = (
  method: 'POST' | 'PATCH',
  key: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): LoadRequest =>
  body === undefined
    ? { method, path, headers: { ...bearer(key), ...headers } }
    : {
        method,
        path,
        headers: { ...bearer(key), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      };

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Cycles through the items in order. */
export function inTurn<T>(items: readonly T[]): () => T {
  let index = -1;
  return () => {
    index = (index + 1) % items.length;
    return items[index] as T;
  };
}

/** Cycles through all items with large steps between neighbours. */
export function scattered<T>(items: readonly T[]): () => T {
  const stride = 7_919;
  let index = 0;
  return () => {
    index = (index + stride) % items.length;
    return items[index] as T;
  };
}

/** Returns each item once. @throws Error after the last one */
export function once<T>(items: readonly T[]): () => T {
  let index = 0;
  return () => {
    if (index >= items.length)
      throw new Error('There is nothing left to send: seed more, or measure for a shorter time');
    return items[index++] as T;
  };
}
