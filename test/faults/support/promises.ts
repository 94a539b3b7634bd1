/** What the product has answered with success: all of it has to be there at the end. */
export class Promises {
  readonly articles = new Map<string, PromisedArticle>();
  readonly assets = new Map<string, PromisedAsset>();
  /** Bodies of comments. */
  readonly comments = new Set<string>();
  /** Runs of the pipeline, each with how many articles it is to write. */
  readonly runs = new Map<string, number>();

  /** Slugs under which comments can be left. */
  publishedSlugs(): string[] {
    return [...this.articles.values()]
      .filter(({ state, dueAt }) => state === 'published' && dueAt === null)
      .map(({ slug }) => slug);
  }
}

export interface PromisedArticle {
  readonly externalId: string;
  readonly title: string;
  readonly slug: string;
  content: string;
  state: 'draft' | 'published' | 'deleted';
  /** For one that was scheduled; `state` is then what it comes to. */
  dueAt: number | null;
}

export interface PromisedAsset {
  readonly url: string;
  readonly bytes: Buffer;
  deleted: boolean;
}
