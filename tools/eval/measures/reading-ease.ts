import type { Language } from '../topics.ts';
import { sentencesOf, wordsIn } from './text.ts';

interface Formula {
  readonly base: number;
  /** Per word of a sentence, and per syllable of a word. */
  readonly sentence: number;
  readonly syllable: number;
  readonly vowels: RegExp;
  /** A vowel at the end that is written and not spoken. */
  readonly mute?: RegExp;
}

/** Flesch, Amstad, Kandel and Moles, Fernández Huerta. */
const formulas: Readonly<Record<Language, Formula>> = {
  en: { base: 206.835, sentence: 1.015, syllable: 84.6, vowels: /[aeiouy]+/g, mute: /[^aeiouyl]e(?:s|d)?$/ },
  de: { base: 180, sentence: 1, syllable: 58.5, vowels: /ai|au|äu|ei|eu|ie|aa|ee|oo|[aeiouyäöü]/g },
  fr: {
    base: 207,
    sentence: 1.015,
    syllable: 73.6,
    vowels: /[aeiouyàâäéèêëîïôöùûüœæ]+/g,
    mute: /[^aeiouyéèê](?:e|es|ent)$/,
  },
  es: {
    base: 206.84,
    sentence: 1.02,
    syllable: 60,
    vowels: /[iuü]?[aeoáéó](?:[iuy](?![aeoáéó]))?|[íú]|[iuü]{1,2}y?/g,
  },
};

/** How easily a text is read: 100 is very easy, 0 very difficult; null without a sentence. */
export function readingEase(markdown: string, language: Language): number | null {
  const sentences = sentencesOf(markdown, language);
  const words = sentences.flatMap((sentence) => wordsIn(sentence)).filter((word) => /\p{L}/u.test(word));
  if (words.length === 0) return null;
  const { base, sentence, syllable } = formulas[language];
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word, language), 0);
  return base - (sentence * words.length) / sentences.length - (syllable * syllables) / words.length;
}

export function syllablesOf(word: string, language: Language): number {
  const { vowels, mute } = formulas[language];
  const lower = word.toLowerCase();
  const found = lower.match(vowels)?.length ?? 0;
  return Math.max(1, found - (found > 1 && mute?.test(lower) ? 1 : 0));
}
