/**
 * Ranks of the items of a plan: texts that sort by their bytes, with room between any two. A rank is a number of six
 * digits to the base 62, by which items follow each other, and a fraction, for items that were moved between those.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
const WHOLE = 6;
const MIDDLE = BASE ** WHOLE / 2;

/** A rank that would be longer is not given: the plan gets new ranks first. Six moves to one place add a digit. */
export const RANK_LENGTH = 100;

const digit = (text: string, index: number): number => DIGITS.indexOf(text.charAt(index));

function wholeOf(rank: string): number {
  let whole = 0;
  for (let index = 0; index < WHOLE; index += 1) whole = whole * BASE + digit(rank, index);
  return whole;
}

function writeWhole(whole: number): string {
  let text = '';
  for (let rest = whole; text.length < WHOLE; rest = Math.floor(rest / BASE))
    text = DIGITS.charAt(rest % BASE) + text;
  return text;
}

/** The rank of one of many items that follow each other. @param number from 0 */
export const rankOf = (number: number): string => writeWhole(MIDDLE + number);

/**
 * A rank between two others, as short as there is.
 *
 * @param before null for the top of the plan
 * @param after null for its end
 */
export function rankBetween(before: string | null, after: string | null): string {
  if (before === null) return after === null ? rankOf(0) : writeWhole(wholeOf(after) - 1);
  const from = wholeOf(before);
  if (after === null) return writeWhole(from + 1);
  const to = wholeOf(after);
  const fraction = before.slice(WHOLE);
  if (from === to) return writeWhole(from) + fractionBetween(fraction, after.slice(WHOLE));
  if (to - from > 1) return writeWhole(from + Math.floor((to - from) / 2));
  return after.length > WHOLE ? writeWhole(to) : writeWhole(from) + fractionBetween(fraction, null);
}

/**
 * A fraction between two others. None ends with a zero, so that there is always one.
 *
 * @param high null for 1
 */
function fractionBetween(low: string, high: string | null): string {
  let common = '';
  for (let index = 0; ; index += 1) {
    const from = index < low.length ? digit(low, index) : 0;
    const to = high === null ? BASE : digit(high, index);
    if (to - from > 1) return common + DIGITS.charAt(from + Math.floor((to - from) / 2));
    common += DIGITS.charAt(from);
    // Everything that goes on after a lower digit is below the higher fraction.
    if (to > from) high = null;
  }
}
