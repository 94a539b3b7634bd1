const small = new Set(
  'a an and are as at be but by for from has have how in into is it its no not of on or our should than that the their then this to was what when which who why will with your'.split(
    ' ',
  ),
);

export const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** The distinct words of a text without stop words, in lower case. */
export function telling(text: string): readonly string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found)].filter((word) => word.length > 2 && !small.has(word));
}

/** Cuts a text at a word to at most `length` characters, with an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(' ', length - 1);
  // Without a space, the cut may split a character, which is then dropped.
  const begun = text.slice(0, end > 0 ? end : length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${begun.replace(/[\s,;:.–-]+$/, '')}…`;
}

/** The parts of a text between line breaks, without white space around them. */
export const paragraphs = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
