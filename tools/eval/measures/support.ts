import { wordsOf } from '../../../domain/search/words.ts';
import type { Language } from '../topics.ts';
import { sentencesOf, withoutCitations } from './text.ts';

/** A sentence that says something checkable, and whether what it rests on says so, too. */
export interface CheckedSentence {
  readonly text: string;
  readonly isSupported: boolean;
  readonly citations: readonly { readonly n: number; readonly holds: boolean }[];
}

/** How many of the telling words of a sentence its source has to have. */
const SHARED = 0.4;
/** Shorter words tell little in all four languages. */
const TELLING_LETTERS = 5;

/**
 * The sentences of a text that have a citation or a figure. One is supported if a source that it cites, or any source if
 * it cites none, has all of its figures and enough of its telling words. Models are not asked.
 *
 * @param sources the texts of the sources, by their number less one @param known what needs no source, such as notes
 */
export function checkSentences(
  markdown: string,
  language: Language,
  sources: readonly string[],
  known = '',
): readonly CheckedSentence[] {
  return sentencesOf(markdown, language).flatMap((sentence) => {
    const cited = [...sentence.matchAll(/\[\^([^\]]+)\]/g)].map(([, n]) => Number(n));
    const text = withoutCitations(sentence);
    if (cited.length === 0 && !/\d/.test(text)) return [];
    const citations = cited.map((n) => ({ n, holds: sayTheSame(text, sources[n - 1] ?? '') }));
    // The figures of a sentence may come from several pages.
    const together = cited.map((n) => sources[n - 1] ?? '').join('\n');
    const isSupported =
      cited.length === 0
        ? [...sources, known, `${sources.join('\n')}\n${known}`].some((source) => sayTheSame(text, source))
        : citations.some(({ holds }) => holds) || sayTheSame(text, together);
    return [{ text, isSupported, citations }];
  });
}

/** Whether a source has all figures of a text, and enough of its telling words. */
export function sayTheSame(text: string, source: string): boolean {
  if (source.trim() === '') return false;
  const said = new Set(figuresOf(source));
  if (!figuresOf(text).every((figure) => said.has(figure))) return false;
  const words = tellingWords(text);
  const known = new Set(tellingWords(source).map(stem));
  const shared = words.filter((word) => known.has(stem(word))).length;
  return words.length === 0 || shared / words.length >= SHARED;
}

/** Figures without separators: `1,148`, `1.148` and `1 148` are the same. */
const figuresOf = (text: string): readonly string[] =>
  (text.match(/\d+(?:[.,  \s]\d{3})*(?:[.,]\d+)?/g) ?? []).map((figure) => figure.replaceAll(/[.,\s]/gu, ''));

const tellingWords = (text: string): readonly string[] =>
  wordsOf(text)
    .split(' ')
    .filter((word) => word.length >= TELLING_LETTERS && !/\d/.test(word));

/** Its beginning, since its end changes with its case. */
const stem = (word: string): string => word.slice(0, TELLING_LETTERS + 1);
