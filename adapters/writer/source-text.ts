/** The text of a source page, or why it has none. */
export interface Source {
  readonly text: string | null;
  /** Shown with the run; null if the page was read or there is no source. */
  readonly problem: string | null;
}

export const withoutSource = (why: string): Source => ({
  text: null,
  problem: `The source could not be read (${why}); the article was written without it.`,
});
