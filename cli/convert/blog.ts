import type { EntryReport } from './report.ts';

// What is read from an export of any kind, before it is put into the form of an import file.

export interface Blog {
  readonly name: string | null;
  readonly url: string | null;
  readonly authors: readonly BlogAuthor[];
  readonly categories: readonly BlogTerm[];
  readonly tags: readonly BlogTerm[];
  readonly posts: readonly BlogPost[];
}

export interface BlogAuthor {
  /** By which posts name it. */
  readonly ref: string;
  readonly name: string;
  readonly bio: string | null;
  readonly avatarUrl: string | null;
}

export interface BlogTerm {
  /** By which posts name it. */
  readonly key: string;
  /** As the export has it: perhaps none of Presswork's form. */
  readonly slug: string;
  readonly name: string;
}

export interface BlogPost {
  readonly report: EntryReport;
  readonly externalId: string;
  readonly status: 'published' | 'draft';
  readonly title: string;
  readonly slug: string;
  /** @returns the content as Markdown; called once, so that only one post is in memory as a document */
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
