import type { ConnectionConfig, ConnectionKind } from './config.ts';
import type { Blog } from '../purge/public-urls.ts';
import type { Post } from './post.ts';

/** Where a connection leads, with its secret. */
export interface Remote {
  readonly connectionId: string;
  readonly siteId: string;
  readonly kind: ConnectionKind;
  readonly config: ConnectionConfig;
  readonly secret: string | null;
  /** The key of the ssh server, once it is known. */
  readonly hostKey: string | null;
  /** Counts the addresses that the connection has had. */
  readonly generation: number;
  readonly site: Blog & { readonly name: string };
}

/** An article whose post has to become as the article is. */
export interface PostChange {
  readonly articleId: string;
  /** Null if it was deleted. */
  readonly post: Post | null;
  /** Whether to overwrite remote changes. */
  readonly force: boolean;
  /** What the adapter stored after the last push, and before a write of which it does not know whether it was made. */
  readonly state: unknown;
  readonly intent: unknown;
  /** Names the request: the same for each attempt. */
  readonly item: string;
  readonly askedAt: Date;
  /** From 1. */
  readonly attempt: number;
}

/** An article is shown at the remote while it is published. */
export const isShown = ({ post }: PostChange): boolean => post?.status === 'published';

export type PushOutcome =
  | {
      readonly status: 'succeeded';
      readonly remoteUrl: string | null;
      /** The notes of the adapter for the next time. */
      readonly state: object;
    }
  | { readonly status: 'diverged'; readonly remoteUrl: string | null; readonly message: string }
  | { readonly status: 'failed'; readonly failure: PushFailure };

/** An image of the Site, as it is stored. */
export interface StoredImage {
  readonly fileName: string;
  readonly mimeType: string;
  readonly altText: string | null;
  readonly bytes: Buffer;
}

/** The tools of an adapter while it pushes. */
export interface PushTools {
  /** Ends the work: its lease is lost, or its process stops. */
  readonly signal: AbortSignal;
  /**
   * Stores a write before it is made. What was recognised by the intent before it is stored with it, as
   * the state, because nothing else would say any more that it was pushed.
   */
  readonly intend: (articleId: string, intent: object, confirmed?: object | null) => Promise<void>;
  /** The states of other articles that were pushed, or were about to be, to one of the paths of files. */
  readonly othersAt: (
    paths: readonly string[],
    articleIds: readonly string[],
  ) => Promise<readonly { readonly state: unknown; readonly intent: unknown }[]>;
  /** Stores the key of an ssh server at the first contact. */
  readonly keepHostKey: (key: string) => Promise<void>;
  /** The beginning of addresses of the Site's images. */
  readonly mediaUrl: string;
  /** The image that a URL of this Site's media stands for; null for any other URL. */
  readonly image: (url: string) => Promise<StoredImage | null>;
  /** The remote's answer to the upload of an image; null if it has not got it. */
  readonly remoteImage: (url: string) => Promise<unknown>;
  readonly keepRemoteImage: (url: string, remote: object) => Promise<void>;
}

/** Brings articles to one kind of system. */
export interface CmsAdapter {
  /** The most articles of one call. */
  readonly batch: number;
  /**
   * Looks whether a push could be made, and changes nothing there.
   *
   * @returns the finding, for a person
   * @throws PushFailure
   */
  test(remote: Remote, tools: Pick<PushTools, 'signal' | 'keepHostKey'>): Promise<string>;
  /**
   * @returns an outcome for each change, in the same order
   * @throws PushFailure that holds for all of them
   */
  push(remote: Remote, changes: readonly PostChange[], tools: PushTools): Promise<readonly PushOutcome[]>;
}

interface FailureOptions {
  /** Whether another attempt would fail in the same way. */
  readonly final?: boolean;
  /** Whether it is about this article, and says nothing about the connection. */
  readonly ofArticle?: boolean;
  /** How long the remote wants to be left alone. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why an attempt failed. The message is for a person: what to do about it, and no secret. */
export class PushFailure extends Error {
  override name = 'PushFailure';
  readonly final: boolean;
  readonly ofArticle: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.final = options.final ?? false;
    this.ofArticle = options.ofArticle ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** For an article that is to be removed where it never was. */
export const neverThere = (): PushFailure =>
  new PushFailure('The article is not published, and was never pushed there. Publish it first.', {
    final: true,
    ofArticle: true,
  });

/** @param what that the secret is for this kind */
export const noSecret = (what: string): PushFailure =>
  new PushFailure(
    `The connection has no secret. Set ${what} with PATCH /delivery/connections/{id}, and push again.`,
    { final: true },
  );
