/** Replacements of white space during the conversion: non-characters, which texts do not contain. */
const STAND_INS: Readonly<Record<string, string>> = { ' ': '\uFDD0', '\n': '\uFDD1', '\t': '\uFDD2' };
const ORIGINALS = new Map(Object.entries(STAND_INS).map(([character, standIn]) => [standIn, character]));

/**
 * Hides long runs of white space from turndown, which is quadratic in their length: half a million blanks would take
 * minutes.
 */
export const hideLongRuns = (text: string): string =>
  text.replaceAll(/[ \n\t]{50,}/g, (run) =>
    run.replaceAll(/[^]/g, (character) => STAND_INS[character] ?? character),
  );

export const showLongRuns = (text: string): string =>
  text.replaceAll(/[\uFDD0-\uFDD2]/g, (standIn) => ORIGINALS.get(standIn) ?? '');
