import type { LoadRequest } from '../scenarios.ts';
import type { Blog } from './blogs.ts';
import type { DeepPages } from './deep-pages.ts';
import type { Random } from './random.ts';

export type Kind = 'read' | 'write';

/** A request of the traffic, and what its answer is to be. */
export interface Sent {
  readonly request: LoadRequest;
  readonly status: number;
  /** Told the body of an answer as it should be. */
  readonly answered?: (body: string) => void;
}

/** A part of the traffic. */
export interface Operation {
  readonly name: string;
  /** Of 1,000 requests. */
  readonly share: number;
  readonly kind: Kind;
  /** The next request, or null where there is nothing to work on yet. */
  readonly next: () => Sent | null;
}

export interface Planned extends Sent {
  readonly operation: string;
  readonly kind: Kind;
}

/** What operations are made of. */
export interface Mix {
  readonly blogs: readonly Blog[];
  /** Of the first Site. */
  readonly deep: DeepPages;
  readonly random: Random;
  /** The Site of the next request, each by its share. */
  readonly blog: () => Blog;
  /** A request to a Site with any of its keys of a kind. */
  readonly send: (
    blog: Blog,
    method: LoadRequest['method'],
    path: string,
    options?: { readonly publishable?: boolean; readonly body?: object; readonly idempotencyKey?: string },
  ) => LoadRequest;
}
