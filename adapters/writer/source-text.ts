/** What a source page says, or why it says nothing. */
export type PageText =
  | {
      readonly text: string;
      readonly title: string | null;
      /** As the page says. */
      readonly published_at: string | null;
      readonly problem: null;
    }
  | Unread;

interface Unread {
  readonly text: null;
  /** Shown with the run; null for a page that a search found, because nobody named it. */
  readonly problem: string | null;
}

/** A source page, with where it was found in the end. */
export type Source = (Extract<PageText, { text: string }> & { readonly url: string }) | Unread;

export const withoutSource = (why: string): Unread => ({
  text: null,
  problem: `The source could not be read (${why}); the article was written without it.`,
});
