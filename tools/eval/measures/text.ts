import type { Language } from '../topics.ts';

/** Plain sentences of a Markdown text, without headings; citations are kept. */
export const sentencesOf = (markdown: string, language: Language): readonly string[] =>
  markdown
    .split('\n')
    .filter((line) => !/^\s*(#|\||```|\[\^[^\]]+\]:)/.test(line))
    .flatMap((line) => segments(plain(line), language));

const segmenters = new Map<Language, Intl.Segmenter>();

/** A citation stands behind the full stop, and belongs to the sentence before it. */
function segments(line: string, language: Language): readonly string[] {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  const moved = line.replaceAll(/([.!?])((?:\s*\[\^[^\]]+\])+)/g, '$2$1');
  return [...segmenter.segment(moved)]
    .map(({ segment }) => segment.trim())
    .filter((part) => /\p{L}/u.test(part));
}

const plain = (line: string): string =>
  line
    .replace(/^\s*(?:[-*+>]|\d+\.)\s+/, '')
    .replaceAll(/!?\[(?!\^)([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '');

export const withoutCitations = (text: string): string => text.replaceAll(/\s*\[\^[^\]]+\]/g, '');

export const wordsIn = (text: string): readonly string[] =>
  withoutCitations(text).match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu) ?? [];

/** As the product counts them (domain/pipeline/results.ts). */
export const countWords = (content: string): number =>
  content.split(/\s+/).filter((word) => word !== '').length;
