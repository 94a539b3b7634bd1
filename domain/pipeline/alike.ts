import { wordsOf } from '../search/words.ts';

/** How much of the words of two texts has to be the same. */
const ALIKE = 0.85;

/** Words that texts have whatever they are about. */
const empty = new Set(
  'a an and are as at be but by for from has have how in into is it its no not of on or our should than that the their then this to was what when which who why will with your you'.split(
    ' ',
  ),
);

/** Whether two texts mean the same: the same words that tell something, but for a few, and the same figures. */
export const isAlike = (one: string, other: string): boolean =>
  areAlike(tellingWords(one), tellingWords(other));

export function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  if (left.size === 0 || figuresIn(left) !== figuresIn(right)) return false;
  const common = [...left].filter((word) => right.has(word)).length;
  return (2 * common) / (left.size + right.size) >= ALIKE;
}

export function tellingWords(text: string): ReadonlySet<string> {
  const words = wordsOf(text)
    .split(' ')
    .filter((word) => word !== '');
  const telling = words.filter((word) => !empty.has(word));
  return new Set((telling.length > 0 ? telling : words).map((word) => word.replace(/(?<=..[^s])s$/, '')));
}

const figuresIn = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\d/.test(word))
    .toSorted()
    .join(' ');
