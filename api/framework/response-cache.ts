import { LRUCache } from 'lru-cache';
import type { UnreadResult } from '../../domain/kernel/conditional-read.ts';
import { bodyOf } from './reply.ts';
import type { Reply } from './reply.ts';

interface CachedBody {
  readonly signature: string;
  readonly json: string;
}

/** Maximum size of all bodies, and of one body, in characters. */
const MAX_SIZE = 5_000_000;
const MAX_BODY_SIZE = 200_000;
/** How many reads are remembered that were requested once; the next request caches their body. */
const MAX_SEEN = 20_000;

/**
 * Caches response bodies, each with the signature of the rows that it was made from. The database is asked for each
 * request and compares the signature, so that no answer is stale; it sends rows only if they have changed. A read that
 * is requested only once, for example by a client that walks through a whole list, is not cached
 * (docs/decisions/0025).
 */
export class ResponseCache {
  readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN });
  readonly #bodies = new LRUCache<string, CachedBody>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_BODY_SIZE,
    sizeCalculation: ({ json }, key) => json.length + key.length,
  });

  /**
   * Replies with a read's result.
   *
   * @param form distinguishes the presentations of the same result
   * @param present makes the member `data` of the envelope; it depends on the result and `form` only
   */
  async reply<Result>(
    { read, conditional }: UnreadResult<Result>,
    form: string,
    present: (result: Result) => unknown,
  ): Promise<Reply> {
    if (conditional === null) return { status: 200, json: bodyOf(present(await read())) };
    const name = `${conditional.key} ${form}`;
    if (!this.#seen.has(name)) {
      this.#seen.set(name, true);
      return { status: 200, json: bodyOf(present(await read())) };
    }
    const known = this.#bodies.get(name);
    const changed = await conditional.readIfChanged(known?.signature ?? null);
    if (changed === null) return { status: 200, json: (known as CachedBody).json };
    const json = bodyOf(present(changed.result));
    this.#bodies.set(name, { signature: changed.signature, json });
    return { status: 200, json };
  }
}
