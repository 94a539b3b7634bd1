import type { ReadWords, SearchedText } from '../../domain/kernel/searched-text.ts';
import { areMany, articleWordsOf } from '../../domain/search/words.ts';

export function wordsOfParts(parts: readonly (string | null)[]): ReadWords {
  const words = articleWordsOf(parts.filter((part) => part !== null).join('\n'));
  return { words, many: areMany(words) };
}

/** Signs whose Markdown differs from its rendering: marks within a word, links, HTML, references to characters, and code. */
const marked = /[<&[`]|~~~|[\p{L}\p{M}\p{N}][*_~]+[\p{L}\p{M}\p{N}]|[*_~\\][#+]/u;

/** A link or an image in a line, in its usual form: what readers see of it is the text in its brackets. */
const link = /(?<![\\^!])(!?)\[([^\s[\]()\\`|^][^\n[\]()\\`|^]*)\]\((?:https?:\/\/|\/)[^\s()<>[\]\\`|"']*\)/g;
const indented = /\t| {4}/;

/** Links that are code are none, so that a text with lines that may be code keeps them all. */
const withoutLinks = (text: string): string =>
  indented.test(text)
    ? text
    : text.replaceAll(link, (_, image: string, shown: string) => (image ? ` ${shown} ` : shown));

/** The words of a text whose Markdown has those that readers see, but for the addresses of links; null for others. */
export function readPlainWords({ title, excerpt, content }: SearchedText): ReadWords | null {
  const plain = content && withoutLinks(content);
  return plain !== null && marked.test(plain) ? null : wordsOfParts([title, excerpt, plain]);
}
