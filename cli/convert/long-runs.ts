/** What stands for white space while the text is in the converter: characters that no text may hold. */
const STAND_INS: Readonly<Record<string, string>> = { ' ': '\uFDD0', '\n': '\uFDD1', '\t': '\uFDD2' };
const ORIGINALS = new Map(Object.entries(STAND_INS).map(([character, standIn]) => [standIn, character]));

/**
 * Hides long runs of white space, which the converter looks through again from each of their characters: half a
 * million blanks would take it minutes.
 */
export const hideLongRuns = (text: string): string =>
  text.replaceAll(/[ \n\t]{50,}/g, (run) =>
    run.replaceAll(/[^]/g, (character) => STAND_INS[character] ?? character),
  );

export const showLongRuns = (text: string): string =>
  text.replaceAll(/[\uFDD0-\uFDD2]/g, (standIn) => ORIGINALS.get(standIn) ?? '');
