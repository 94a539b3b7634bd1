import { changedLines } from '../../../content/changed-lines.ts';
import type { ChangedLines } from '../../../content/changed-lines.ts';

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
  const groups = overlapping(changes(lines[0], lines[1], 'theirs'), changes(lines[0], lines[2], 'mine'));
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

/** A change of the base, A. */
interface LineChange extends ChangedLines {
  readonly by: 'theirs' | 'mine';
}

const changes = (base: string[], changed: string[], by: LineChange['by']): LineChange[] =>
  changedLines(base, changed).map(({ fromA, toA, fromB, toB }) => ({ by, fromA, toA, fromB, toB }));

/** The changes in the order of the base, those together that touch the same lines or the same place. */
function overlapping(theirs: readonly LineChange[], mine: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  let end = -1;
  for (const change of [...theirs, ...mine].toSorted((a, b) => a.fromA - b.fromA || a.toA - b.toA)) {
    const last = groups.at(-1);
    const touches =
      change.fromA < end || (change.fromA === end && last?.some((one) => isInsertion(one, change)));
    if (last !== undefined && touches) last.push(change);
    else groups.push([change]);
    end = Math.max(end, change.toA);
  }
  return groups;
}

/** Where one text is inserted next to a change of the other, their order is not known. */
const isInsertion = (one: LineChange, next: LineChange): boolean =>
  one.by !== next.by && (one.fromA === one.toA || next.fromA === next.toA);

function joined(
  groups: readonly LineChange[][],
  [base, theirs, mine]: readonly [string[], string[], string[]],
): Part[] {
  const parts: Part[] = [];
  let reached = 0;
  for (const group of groups) {
    const from = Math.min(...group.map((change) => change.fromA));
    const to = Math.max(...group.map((change) => change.toA));
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
  for (const { fromA, toA, fromB, toB } of own) {
    out.push(...base.slice(reached, fromA - offset), ...lines.slice(fromB, toB));
    reached = toA - offset;
  }
  return [...out, ...base.slice(reached)].join('');
}

function decided({ base, theirs, mine }: Disagreement): Part {
  if (theirs === mine || mine === base) return { agreed: theirs };
  return theirs === base ? { agreed: mine } : { base, theirs, mine };
}
