import type { ReadWords, SearchedText } from '../../domain/kernel/searched-text.ts';
import { areMany, articleWordsOf } from '../../domain/search/words.ts';

export function wordsOfParts(parts: readonly (string | null)[]): ReadWords {
  const words = articleWordsOf(parts.filter((part) => part !== null).join('\n'));
  return { words, many: areMany(words) };
}

/** Signs whose Markdown differs from its rendering: marks within a word, links, HTML, references to characters, and code. */
const marked = /[<&[`]|~~~|[\p{L}\p{M}\p{N}][*_~]+[\p{L}\p{M}\p{N}]/u;

/** The words of a text whose Markdown has those that readers see; null for others. */
export const readPlainWords = ({ title, excerpt, content }: SearchedText): ReadWords | null =>
  content !== null && marked.test(content) ? null : wordsOfParts([title, excerpt, content]);
