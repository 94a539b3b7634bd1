import type { LoadRequest } from '../requests.ts';
import type { Blog } from './blogs.ts';
import type { DeepPages } from './deep-pages.ts';
import type { Random } from './random.ts';

export type Kind = 'read' | 'write';

/** A request of the traffic, and the expected status. */
export interface Sent {
  readonly request: LoadRequest;
  readonly status: number;
  /** Called with the body of an expected answer. */
  readonly answered?: (body: string) => void;
}

/** A part of the traffic. */
export interface Operation {
  readonly name: string;
  /** Requests out of 1,000. */
  readonly share: number;
  readonly kind: Kind;
  /** The next request, or null if there is nothing to work on yet. */
  readonly next: () => Sent | null;
}

export interface Planned extends Sent {
  readonly operation: string;
  readonly kind: Kind;
}

/** The pool that operations draw from. */
export interface Mix {
  readonly blogs: readonly Blog[];
  /** Pages of the first Site. */
  readonly deep: DeepPages;
  readonly random: Random;
  /** The Site of the next request, chosen by the Sites' shares. */
  readonly blog: () => Blog;
  /** A request to a Site with any of its keys of a kind. */
  readonly send: (
    blog: Blog,
    method: LoadRequest['method'],
    path: string,
    options?: { readonly publishable?: boolean; readonly body?: object; readonly idempotencyKey?: string },
  ) => LoadRequest;
}
