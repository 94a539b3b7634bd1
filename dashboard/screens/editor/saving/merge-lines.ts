import { diff } from '@codemirror/merge';

/** A stretch of a merged text: agreed, or changed in two ways. */
export type Part = { readonly agreed: string } | Disagreement;

export interface Disagreement {
  readonly base: string;
  readonly theirs: string;
  readonly mine: string;
}

export type LineChoice = 'mine' | 'theirs' | 'both';

export const isDisagreement = (part: Part): part is Disagreement => !('agreed' in part);

/**
 * Merges two texts that were made from one, by line: a change of only one of them is taken from it, and a change of both
 * changed alike is taken once.
 */
export function mergeLines(base: string, theirs: string, mine: string): Part[] {
  if (mine === theirs || theirs === base) return [{ agreed: mine }];
  if (mine === base) return [{ agreed: theirs }];
  const lines = [base, theirs, mine].map((text) => text.split(/(?<=\n)/)) as [string[], string[], string[]];
  const coded = encode(lines);
  if (coded === null) return [{ base, theirs, mine }];
  const groups = overlapping(changes(coded[0], coded[1], 'theirs'), changes(coded[0], coded[2], 'mine'));
  return joined(groups, lines);
}

/** The text that the choices make; the n-th is for the n-th disagreement. */
export function textOf(parts: readonly Part[], choices: readonly LineChoice[]): string {
  let next = 0;
  return parts.map((part) => (isDisagreement(part) ? chosen(part, choices[next++]) : part.agreed)).join('');
}

function chosen({ theirs, mine }: Disagreement, choice: LineChoice = 'mine'): string {
  if (choice !== 'both') return choice === 'mine' ? mine : theirs;
  const lastLineIsOpen = theirs !== '' && mine !== '' && !theirs.endsWith('\n');
  return lastLineIsOpen ? `${theirs}\n${mine}` : theirs + mine;
}

/** Code units outside the surrogate range. */
const LAST_CODE = 0xd800;

/** Each line as one character, the same for the same line; null for more different lines than there are characters. */
function encode(texts: readonly [string[], string[], string[]]): [string, string, string] | null {
  const codes = new Map<string, number>();
  const code = (line: string): number => {
    const known = codes.get(line) ?? codes.size;
    codes.set(line, known);
    return known;
  };
  const coded = texts.map((lines) =>
    lines.map((line) => String.fromCharCode(code(line) % LAST_CODE)).join(''),
  );
  return codes.size < LAST_CODE ? (coded as [string, string, string]) : null;
}

interface LineChange {
  readonly by: 'theirs' | 'mine';
  /** Lines of the base. */
  readonly from: number;
  readonly to: number;
  /** Lines of the changed text. */
  readonly newFrom: number;
  readonly newTo: number;
}

/** Bounds the work for texts that have little in common. */
const SCAN_LIMIT = 1_000;

const changes = (base: string, changed: string, by: LineChange['by']): LineChange[] =>
  diff(base, changed, { scanLimit: SCAN_LIMIT }).map(({ fromA, toA, fromB, toB }) => ({
    by,
    from: fromA,
    to: toA,
    newFrom: fromB,
    newTo: toB,
  }));

/** The changes in the order of the base, those together that touch the same lines or the same place. */
function overlapping(theirs: readonly LineChange[], mine: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  let end = -1;
  for (const change of [...theirs, ...mine].toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = groups.at(-1);
    const touches =
      change.from < end || (change.from === end && last?.some((one) => isInsertion(one, change)));
    if (last !== undefined && touches) last.push(change);
    else groups.push([change]);
    end = Math.max(end, change.to);
  }
  return groups;
}

/** Where one text is inserted next to a change of the other, their order is not known. */
const isInsertion = (one: LineChange, next: LineChange): boolean =>
  one.by !== next.by && (one.from === one.to || next.from === next.to);

function joined(
  groups: readonly LineChange[][],
  [base, theirs, mine]: readonly [string[], string[], string[]],
): Part[] {
  const parts: Part[] = [];
  let reached = 0;
  for (const group of groups) {
    const from = Math.min(...group.map((change) => change.from));
    const to = Math.max(...group.map((change) => change.to));
    parts.push({ agreed: base.slice(reached, from).join('') });
    const was = base.slice(from, to).join('');
    const version = (by: LineChange['by'], lines: string[]): string =>
      versionOf(
        group.filter((change) => change.by === by),
        lines,
        base.slice(from, to),
        from,
      );
    parts.push(decided({ base: was, theirs: version('theirs', theirs), mine: version('mine', mine) }));
    reached = to;
  }
  parts.push({ agreed: base.slice(reached).join('') });
  return parts.filter((part) => isDisagreement(part) || part.agreed !== '');
}

/** The lines of the base with the changes of one side. */
function versionOf(own: readonly LineChange[], lines: string[], base: string[], offset: number): string {
  let reached = 0;
  const out: string[] = [];
  for (const { from, to, newFrom, newTo } of own) {
    out.push(...base.slice(reached, from - offset), ...lines.slice(newFrom, newTo));
    reached = to - offset;
  }
  return [...out, ...base.slice(reached)].join('');
}

function decided({ base, theirs, mine }: Disagreement): Part {
  if (theirs === mine || mine === base) return { agreed: theirs };
  return theirs === base ? { agreed: mine } : { base, theirs, mine };
}
