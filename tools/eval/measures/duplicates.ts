export interface Judged {
  readonly isDuplicate: boolean;
  readonly isSkipped: boolean;
}

/** How many of the skipped topics are duplicates, and how many of the duplicates were skipped; null without any. */
export function duplicateRecognition(judged: readonly Judged[]): {
  readonly precision: number | null;
  readonly recall: number | null;
} {
  const count = (which: (one: Judged) => boolean): number => judged.filter(which).length;
  const found = count(({ isDuplicate, isSkipped }) => isDuplicate && isSkipped);
  return {
    precision: share(
      found,
      count(({ isSkipped }) => isSkipped),
    ),
    recall: share(
      found,
      count(({ isDuplicate }) => isDuplicate),
    ),
  };
}

/** @returns null of nothing */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
