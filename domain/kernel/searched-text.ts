/** The texts by which an article is found. */
export interface SearchedText {
  readonly title: string | null;
  readonly excerpt: string | null;
  readonly content: string | null;
}

export interface ReadWords {
  readonly words: string;
  /** Whether they are more than the index takes. */
  readonly many: boolean;
}

/** Reads the words of an article as its readers see them; null if there is no time for it now. */
export type WordsReader = (siteId: string, text: SearchedText) => Promise<ReadWords | null>;
