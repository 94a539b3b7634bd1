import type { PostChange } from '../../../domain/cms/adapter.ts';
import type { Post } from '../../../domain/cms/post.ts';

export interface RemotePost {
  readonly id: string;
  readonly url: string;
  readonly slug: string;
  readonly title: string;
  /** Whether readers see it. */
  readonly shown: boolean;
  /** Changes with everything that a person edits. */
  readonly version: string;
  /** As `fingerprintOf` makes it. */
  readonly fingerprint: string;
}

export interface WantedPost {
  readonly post: Post;
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  /** With the addresses that its images have in the other system. */
  readonly html: string;
  /** The address of the featured image there, and its name in the system. */
  readonly image: RemoteImage | null;
}

/** An image that another system has got. */
export interface RemoteImage {
  readonly url: string;
  /** For systems that refer to images by ids. */
  readonly id?: number | undefined;
  readonly altText: string | null;
}

/** A system whose posts are found by ids and slugs. All throw PushFailure. */
export interface PostSystem {
  /** Null if there is none. */
  find(id: string): Promise<RemotePost | null>;
  findBySlug(slug: string): Promise<RemotePost | null>;
  create(wanted: WantedPost): Promise<RemotePost>;
  /** @returns null if somebody changed the post since it was read */
  update(current: RemotePost, wanted: WantedPost): Promise<RemotePost | null>;
  /** Makes it a draft. @returns null if somebody changed the post since it was read */
  hide(current: RemotePost): Promise<RemotePost | null>;
}

/** Makes the content of a post: renders it, and brings its images along. */
export type Prepare = (change: PostChange & { readonly post: Post }) => Promise<WantedPost>;
