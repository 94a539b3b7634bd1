/** Marks that letters carry, and invisible characters. */
const marks = new RegExp(
  String.raw`[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F\u00AD\u200B-\u200F\u2060\uFEFF]+`,
  'g',
);

/** Letters that have the same meaning as others, and are not composed of them. */
const sameLetters: Readonly<Record<string, string>> = {
  ς: 'σ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};
const lettersWithOthers = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'g');

const LETTER = String.raw`\p{Alphabetic}0-9\u0660-\u0669\u06F0-\u06F9\u0966-\u096F`;
const separators = new RegExp(`[^${LETTER}]+`, 'gu');

/** Scripts that write no spaces between words. */
const unspaced =
  /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\u{20000}-\u{3FFFF}]/gu;

/** `C++` and `C#`, with the word in front. */
const signs = new RegExp(
  String.raw`(?:\+\+(?!\+)|#(?![${LETTER}#]))(?<=([${LETTER}]{1,40})(?:\+\+|#))`,
  'gu',
);

/**
 * The words of a text, folded, each with a space before and after it: without case, accents and forms of the same letter.
 * Scripts without spaces have a word for each letter. `search_words` of the migrations makes the same.
 */
export function wordsOf(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(lettersWithOthers, (letter) => sameLetters[letter] ?? letter)
    .replaceAll(separators, ' ')
    .replaceAll(unspaced, ' $& ')
    .replaceAll(/ {2,}/g, ' ');
  return ` ${folded.trim()} `;
}

/** The words of an article's text, in which `C++` is found as well as `C`: as `cplusplus` after it, and `C#` as `csharp`. */
export const articleWordsOf = (text: string): string =>
  wordsOf(text.replaceAll(signs, (sign, word: string) => ` ${word}${sign === '#' ? 'sharp' : 'plusplus'} `));

/** Bytes of the keys of an article that an index takes, with some to spare (`search_keys` of the migrations). */
const KEY_BYTES = 950_000;
/** A text of fewer letters never has more. */
const SURELY_SMALL = 60_000;
/** The end of the Site's id, before each word of at most 40 letters. */
const SITE_LETTERS = 12;
const WORD_LETTERS = 40;

/** Whether words have more keys than an index takes: they are then always read. */
export function areMany(words: string): boolean {
  if (words.length < SURELY_SMALL) return false;
  let bytes = 0;
  for (const word of new Set(words.split(' '))) {
    const key = word.length > WORD_LETTERS ? Array.from(word).slice(0, WORD_LETTERS).join('') : word;
    bytes += SITE_LETTERS + Buffer.byteLength(key);
  }
  return bytes >= KEY_BYTES;
}
