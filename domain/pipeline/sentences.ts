/** The sentences of a text with normalised white space, without those that are too short or too long. */
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
