import type { ObjectStore } from './objects.ts';

/** Deletes an object, or all whose keys begin with a key that ends with a slash. */
export const removalIn =
  (objects: Pick<ObjectStore, 'remove' | 'removeUnder'>) =>
  async (key: string, withinMs?: number): Promise<void> => {
    if (key.endsWith('/')) await objects.removeUnder(key, withinMs);
    else await objects.remove(key, withinMs);
  };
