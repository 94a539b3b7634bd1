const small = new Set(
  'a an and are as at be but by for from has have how in into is it its no not of on or our should than that the their then this to was what when which who why will with your'.split(
    ' ',
  ),
);

export const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** The words of a text that carry its meaning, in lower case, each once. */
export function telling(text: string): readonly string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found)].filter((word) => word.length > 2 && !small.has(word));
}

/** Whole sentences of a text, white space made plain; what is too short or long to be one is left out. */
export function sentences(text: string, locale: string): readonly string[] {
  return [...segmenter(locale).segment(text)]
    .map(({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length >= 20 && sentence.length <= 600);
}

function segmenter(locale: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(locale, { granularity: 'sentence' });
  } catch {
    return new Intl.Segmenter('en', { granularity: 'sentence' });
  }
}

/** Cut at a word, with an ellipsis, so that it has at most so many characters. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(' ', length - 1);
  // Without a space the cut may fall into the middle of a character, of which nothing is kept.
  const begun = text.slice(0, end > 0 ? end : length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${begun.replace(/[\s,;:.–-]+$/, '')}…`;
}

export const sentenceOf = (text: string): string => {
  const plain = text.trim();
  const begun = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
};
