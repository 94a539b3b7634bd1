import { createHash } from 'node:crypto';
import type { Result } from '../../../sdk/src/index.ts';
import { isRejection } from '../../command/api-client.ts';

/** A digest that is the same in every run, so that the objects of an earlier run are found. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

interface Creation<T> {
  readonly create: (options: { readonly idempotencyKey: string }) => Promise<Result<T>>;
  /** Reads the created object, which may have been deleted since. */
  readonly read: (id: string) => Promise<unknown>;
  /** The same in every run. */
  readonly idempotencyKey: string;
  /** Looks for the object in the Site, if the key was used with another body. */
  readonly find: () => Promise<T | null>;
}

export interface Created<T> {
  readonly data: T;
  /** Whether this call created the object. Otherwise an interrupted or concurrent run did. */
  readonly made: boolean;
}

/**
 * Creates an object at most once, across repeated and concurrent runs. If the stored answer is about an object that has
 * been deleted since, or the key was used with another body, the object is created with the next key.
 *
 * @throws PressworkError if the API rejects it
 */
export async function createOnce<T extends { readonly id: string }>(
  creation: Creation<T>,
): Promise<Created<T>> {
  const { create, read, idempotencyKey, find } = creation;
  for (let attempt = 1; ; attempt += 1) {
    const key = attempt === 1 ? idempotencyKey : `${idempotencyKey}-${attempt}`;
    let data: Result<T>;
    try {
      data = await create({ idempotencyKey: key });
    } catch (error) {
      if (!isRejection(error, 'IDEMPOTENCY_KEY_CONFLICT')) throw error;
      const found = await find();
      if (found !== null) return { data: found, made: false };
      continue;
    }
    if (!data.meta.replayed) return { data, made: true };
    if (await exists(read(data.id))) return { data, made: false };
  }
}

async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (isRejection(error, 'NOT_FOUND')) return false;
    throw error;
  }
}

/** The items of a list, up to the first one for which `last` is true. */
export async function itemsOf<T>(
  list: AsyncIterable<T>,
  last: (item: T) => boolean = () => false,
): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) {
    items.push(item);
    if (last(item)) break;
  }
  return items;
}
