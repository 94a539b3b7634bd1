/** What the product has answered with success: all of it has to exist at the end. */
export class Promises {
  readonly articles = new Map<string, PromisedArticle>();
  readonly assets = new Map<string, PromisedAsset>();
  /** Bodies of comments. */
  readonly comments = new Set<string>();
  /** Runs of the pipeline, each with its number of articles. */
  readonly runs = new Map<string, number>();

  /** The ids of articles that are public, and stay so. */
  readonly readable: string[] = [];
}

export interface PromisedArticle {
  readonly externalId: string;
  readonly title: string;
  readonly slug: string;
  content: string;
  /** A withdrawn one was public once. */
  state: 'draft' | 'published' | 'withdrawn' | 'deleted';
  /** If it was scheduled; then `state` is the final one. */
  dueAt: number | null;
  /** Whether it becomes public some time after the request that publishes it. */
  later: boolean;
}

export interface PromisedAsset {
  readonly url: string;
  readonly bytes: Buffer;
  deleted: boolean;
}
