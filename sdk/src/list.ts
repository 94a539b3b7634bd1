import type { Result } from './result.ts';

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor?: string | null;
}

/**
 * A list. `await` reads one page; `for await` reads all items, page by page. Nothing is sent before.
 */
export class List<P extends Page> implements Promise<Result<P>>, AsyncIterable<P['items'][number]> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #load: (cursor?: string, all?: boolean) => Promise<Result<P>>;
  #first: Promise<Result<P>> | undefined;

  /** @param load reads the page at a cursor; `all` if the others will be read too */
  constructor(load: (cursor?: string, all?: boolean) => Promise<Result<P>>) {
    this.#load = load;
  }

  get #page(): Promise<Result<P>> {
    return (this.#first ??= this.#load());
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Result<P>, B = never>(
    onDone?: ((page: Result<P>) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page.then(onDone, onFailed);
  }

  catch<B = never>(onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Result<P> | B> {
    return this.#page.catch(onFailed);
  }

  finally(onEnd?: (() => void) | null): Promise<Result<P>> {
    return this.#page.finally(onEnd);
  }

  /** All pages. */
  async *pages(): AsyncGenerator<Result<P>, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Result<P> = await this.#load(cursor, true);
      yield page;
      cursor = page.next_cursor ?? null;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<P['items'][number], void, undefined> {
    for await (const page of this.pages()) yield* page.items as Awaited<P['items'][number]>[];
  }
}
