import type { EntryReport } from './report.ts';

// The content of an export of any system, before it is converted to the import format.

export interface Blog {
  readonly name: string | null;
  readonly url: string | null;
  readonly authors: readonly BlogAuthor[];
  readonly categories: readonly BlogTerm[];
  readonly tags: readonly BlogTerm[];
  readonly posts: readonly BlogPost[];
}

export interface BlogAuthor {
  /** Referenced by `BlogPost.author`. */
  readonly ref: string;
  readonly name: string;
  readonly bio: string | null;
  readonly avatarUrl: string | null;
}

export interface BlogTerm {
  /** Referenced by `BlogPost.category` and `tags`. */
  readonly key: string;
  /** As in the export; it may be invalid in Presswork. */
  readonly slug: string;
  readonly name: string;
  /** Used if no slug can be made of the others, as in most scripts without Latin letters. */
  readonly fallbackSlug: string;
}

export interface BlogPost {
  readonly report: EntryReport;
  readonly externalId: string;
  readonly status: 'published' | 'draft';
  readonly title: string;
  readonly slug: string;
  /** As that of a term. */
  readonly fallbackSlug: string;
  /** @returns the content as Markdown; called once per post, so that only one document is in memory at a time */
  readonly content: () => string;
  readonly excerpt: string;
  readonly seoTitle: string;
  readonly seoDescription: string;
  readonly image: { readonly url: string; readonly alt: string } | null;
  readonly author: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Date | null;
  readonly updatedAt: Date | null;
}
