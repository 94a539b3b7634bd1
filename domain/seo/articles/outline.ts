/** The facts of an article's content for the rules. Lists are cut at a length that no article needs. */
export interface Outline {
  readonly words: number;
  /** The first words of the content, in lower case, with single spaces. */
  readonly beginning: string;
  /** Its running text, without code. */
  readonly prose: { readonly words: number; readonly longWords: number; readonly sentences: number };
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  /** The longest paragraphs first. */
  readonly paragraphs: readonly { readonly words: number; readonly begins: string }[];
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** How many words `beginning` has. */
export const BEGINNING_WORDS = 100;

/** A word with more letters than this is long (LIX). */
export const LONG_WORD = 6;

/** Text to compare: in lower case, with single spaces, in one Unicode form. */
export const comparable = (text: string): string =>
  text.normalize('NFKC').toLowerCase().trim().split(/\s+/).join(' ');
