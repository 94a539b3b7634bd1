import { changedLines } from './changed-lines.ts';

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** The changes from one text to the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesIn(before), linesIn(after)];
  const lines: DiffLine[] = [];
  let from = 0;
  for (const { fromA, toA, fromB, toB } of changedLines(old, now)) {
    lines.push(...linesOf('same', old.slice(from, fromA)));
    lines.push(...linesOf('gone', old.slice(fromA, toA)));
    lines.push(...linesOf('new', now.slice(fromB, toB)));
    from = toA;
  }
  return [...lines, ...linesOf('same', old.slice(from))];
}

/** Nothing has no lines. */
const linesIn = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

const linesOf = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ kind, text }));

export type DiffPart = DiffLine | { readonly kind: 'hidden'; readonly count: number };

/** The changed lines with a few around each; the others are counted. */
export function withContext(lines: readonly DiffLine[], around = 3): DiffPart[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const parts: DiffPart[] = [];
  let hidden = 0;
  const skip = (): void => {
    if (hidden > 0) parts.push({ kind: 'hidden', count: hidden });
    hidden = 0;
  };
  lines.forEach((line, index) => {
    if (near[index] !== true) {
      hidden += 1;
      return;
    }
    skip();
    parts.push(line);
  });
  skip();
  return parts;
}
