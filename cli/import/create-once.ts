import { createHash } from 'node:crypto';
import type { ApiClient, ApiOutcome } from '../api-client.ts';

/** A name for one thing: the same in every run, so that what an earlier run has done is found again. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

interface Creation<T> {
  readonly path: string;
  readonly body: unknown;
  /** The same in every run. */
  readonly idempotencyKey: string;
  /** Looks for the thing in the Site, where the key was used with another body. */
  readonly find: () => Promise<T | null>;
}

export interface Creating<T> extends ApiOutcome<T> {
  /** Whether this call made the thing; else it was made before, by a run that was stopped or runs beside this one. */
  readonly made: boolean;
}

/**
 * Creates a thing, once however often it is asked for, also by a run whose last request is still under way. The API
 * may remember an answer about what has been deleted since, or a request with the key that had another body: then it
 * is created under the next key.
 */
export async function createOnce<T extends { readonly id: string }>(
  client: ApiClient,
  { path, body, idempotencyKey, find }: Creation<T>,
): Promise<Creating<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const key = attempt === 1 ? idempotencyKey : `${idempotencyKey}-${attempt}`;
    const outcome = await client.send<T>('POST', path, { body, idempotencyKey: key });
    if (outcome.error?.code === 'IDEMPOTENCY_KEY_CONFLICT') {
      const data = await find();
      if (data !== null) return { ...outcome, status: 200, data, made: false };
      continue;
    }
    if (!outcome.replayed || outcome.data === undefined) {
      return { ...outcome, made: outcome.data !== undefined };
    }
    const { status } = await client.send('GET', `${path}/${outcome.data.id}`);
    if (status !== 404) return { ...outcome, made: false };
  }
}

/** Every item of a list, or those up to one that ends the search. */
export async function readAll<T>(
  client: ApiClient,
  path: string,
  query: Readonly<Record<string, string>> = {},
  last: (item: T) => boolean = () => false,
): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = cursor === undefined ? { ...query, limit: '100' } : { ...query, limit: '100', cursor };
    const { data } = await client.get<Page<T>>(path, page);
    items.push(...data.items);
    cursor = data.items.some(last) ? null : data.next_cursor;
  }
  return items;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}
