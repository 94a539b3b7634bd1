import { diff } from '@codemirror/merge';

/** Lines `fromA` to `toA` of one text that are lines `fromB` to `toB` of another. */
export interface ChangedLines {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Bounds the work for texts that have little in common. */
const SCAN_LIMIT = 1_000;
/** Code units outside the surrogate range. */
const CODES = 0xd800;

/** What changed from some lines to others; all of it for more different lines than there are characters. */
export function changedLines(before: readonly string[], after: readonly string[]): readonly ChangedLines[] {
  const codes = new Map<string, string>();
  const coded = (lines: readonly string[]): string =>
    lines
      .map((line) => {
        const code = codes.get(line) ?? String.fromCharCode(codes.size % CODES);
        codes.set(line, code);
        return code;
      })
      .join('');
  const texts = [coded(before), coded(after)] as const;
  if (codes.size > CODES) return [{ fromA: 0, toA: before.length, fromB: 0, toB: after.length }];
  return diff(...texts, { scanLimit: SCAN_LIMIT });
}
