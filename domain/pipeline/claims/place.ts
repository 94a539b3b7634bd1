import { indexedText, occurrences } from '../../notes/follow.ts';
import { wordsOf } from '../../search/words.ts';

/** A text without marks of Markdown and with single spaces, and where each of its units is in the original. */
interface Plain {
  readonly text: string;
  readonly at: readonly number[];
}

/** What begins a line: quotes, headings, lists. */
const beginning = /[ \t]*(?:(?:>|#{1,6}|[-+*]|\d{1,3}[.)])[ \t]+)*/y;
/** Citations, ends of links, other marks, and white space. Bounded, so that none takes long on what is never closed. */
const marks = /\[\^[^\]\s]{1,50}\]|\]\([^\s)]{0,500}(?:[ \t]+"[^"\n]{0,200}")?\)|[[\]*_`~\\]|\s+/g;

export function plain(text: string): Plain {
  const parts: string[] = [];
  const at: number[] = [];
  let isSpace = true;
  const add = (part: string, from: number): void => {
    if (part === '') return;
    parts.push(part);
    for (let index = 0; index < part.length; index += 1) at.push(from + index);
    isSpace = part === ' ';
  };
  for (const { 0: line, index: start } of text.matchAll(/[^\n]+/g)) {
    if (!isSpace) add(' ', start - 1);
    beginning.lastIndex = 0;
    beginning.test(line);
    let from = beginning.lastIndex;
    for (const { 0: mark, index } of line.slice(from).matchAll(marks)) {
      const end = beginning.lastIndex + index;
      add(line.slice(from, end), start + from);
      if (mark.trim() === '' && !isSpace) add(' ', start + end);
      from = end + mark.length;
    }
    add(line.slice(from), start + from);
  }
  return { text: parts.join(''), at };
}

/** Where a text makes a claim. */
export interface Placed {
  /** As the text has it. */
  readonly text: string;
  /** In code points. */
  readonly near: number;
  /** The numbers of the sources that its sentence cites. */
  readonly cites: readonly number[];
}

/** Fewer words claim nothing, and occur anywhere. */
const WORDS = 2;

export const saysSomething = (text: string): boolean => wordsOf(text).trim().split(' ').length >= WORDS;

/**
 * Finds one claim after another in a text, without regard to marks and white space. A claim that is repeated is the next
 * sentence that reads like it.
 *
 * @returns null for what the text does not have, or not as often
 */
export function placesIn(content: string): (claim: string) => Placed | null {
  const whole = plain(content);
  const indexed = indexedText(content);
  const seen = new Map<string, number>();
  let last = 0;
  return (claim) => {
    const sought = plain(claim).text.trim();
    if (!saysSomething(sought)) return null;
    const before = seen.get(sought);
    const begin = startOf(whole.text, sought, before === undefined ? last : before + 1, before === undefined);
    if (begin === null) return null;
    seen.set(sought, begin);
    last = begin;
    const start = whole.at[begin] as number;
    const end = (whole.at[begin + sought.length - 1] as number) + 1;
    return {
      text: content.slice(start, end),
      near: indexed.pointAt(start),
      cites: citedIn(content, start, end),
    };
  };
}

/** The first occurrence from a place on; if there is none, perhaps the first of all. */
function startOf(text: string, sought: string, from: number, orFirst: boolean): number | null {
  let first: number | null = null;
  for (const start of occurrences(text, sought)) {
    if (start >= from) return start;
    first ??= start;
  }
  return orFirst ? first : null;
}

/** Characters of the rest of a sentence that are read. */
const REST = 1_000;

/** What is cited by a text, the rest of its sentence, and right after that. */
function citedIn(content: string, start: number, end: number): readonly number[] {
  const rest = content.slice(end, end + REST).split('\n', 1)[0] as string;
  const isWhole = /[.!?…]["'”’)*_]*$/.test(content.slice(Math.max(start, end - 10), end));
  const stop = /[.!?…]["'”’)*_]*(?=\s|\[|$)/.exec(rest);
  const sentence = isWhole ? '' : rest.slice(0, stop === null ? rest.length : stop.index + stop[0].length);
  const after = /^["'”’)*_]*(?:[ \t]*\[\^[^\]\s]{1,50}\])*/.exec(rest.slice(sentence.length))?.[0] ?? '';
  const text = content.slice(start, end) + sentence + after;
  return [...text.matchAll(/\[\^(\d{1,4})\]/g)].map(([, n]) => Number(n));
}
