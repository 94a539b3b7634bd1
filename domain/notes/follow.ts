/** The place of a quote in a text, in code points. */
export interface Place {
  readonly quote: string;
  /** null while the text does not have the quote. */
  readonly start: number | null;
  /** Where the quote is looked for then: its last place, moved by edits around it. */
  readonly near: number;
}

export type Anchor = Pick<Place, 'start' | 'near'>;

/**
 * Follows a quote through an edit of its text (docs/spec/rulings.md, 23, Notes). An edit elsewhere moves it by what was
 * inserted and removed before it, and never to other text that reads alike. If the edit has changed the quote itself, it
 * is now the occurrence nearest to where it was. Takes time in proportion to the texts.
 */
export function follow(
  { quote, start, near }: Place,
  { before, after, first, removed, inserted }: Edit,
): Anchor {
  const from = before.unitAt(start ?? near);
  const length = start === null ? 0 : quote.length;
  if (from + length <= first) {
    if (start !== null) return { start, near };
  } else if (from >= first + removed) {
    const moved = after.pointAt(from + inserted - removed);
    if (start !== null) return { start: moved, near: moved };
    return found(after, quote, moved);
  }
  return found(after, quote, after.pointAt(Math.min(from, first + inserted)));
}

/** The occurrence of a quote nearest to a place. */
export const found = (after: IndexedText, quote: string, near: number): Anchor => {
  const unit = nearestOccurrence(after.text, quote, after.unitAt(near));
  if (unit === null) return { start: null, near };
  const start = after.pointAt(unit);
  return { start, near: start };
};

/** What an edit replaced: everything between the beginning and the end that both texts have in common, in UTF-16 units. */
export interface Edit {
  readonly before: IndexedText;
  readonly after: IndexedText;
  readonly first: number;
  readonly removed: number;
  readonly inserted: number;
}

export function editOf(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before.charCodeAt(first) === after.charCodeAt(first)) first += 1;
  let last = 0;
  const rest = shorter - first;
  while (
    last < rest &&
    before.charCodeAt(before.length - 1 - last) === after.charCodeAt(after.length - 1 - last)
  )
    last += 1;
  return {
    before: indexedText(before),
    after: indexedText(after),
    first,
    removed: before.length - first - last,
    inserted: after.length - first - last,
  };
}

/** A text in which places in code points and in UTF-16 units are turned into each other. */
export interface IndexedText {
  readonly text: string;
  unitAt(point: number): number;
  pointAt(unit: number): number;
}

export function indexedText(text: string): IndexedText {
  // In units, the second halves of surrogate pairs: everything else is one unit and one code point.
  const halves: number[] = [];
  for (let at = 0; at < text.length; at += 1)
    if ((text.codePointAt(at) as number) > 0xffff) halves.push((at += 1));
  const before = (limit: (position: number) => number): number => {
    let [low, high] = [0, halves.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((halves[middle] as number) < limit(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    text,
    unitAt: (point) => Math.min(point + before((position) => point + position + 1), text.length),
    pointAt: (unit) => unit - before(() => unit),
  };
}

/**
 * The occurrence of a text that begins nearest to a place, of two at the same distance the first one; null for none. By
 * Knuth, Morris and Pratt: a built-in search takes time in proportion to the product of the lengths.
 */
export function nearestOccurrence(text: string, quote: string, near: number): number | null {
  let nearest: number | null = null;
  for (const start of occurrences(text, quote)) {
    if (nearest !== null && Math.abs(start - near) >= Math.abs(nearest - near)) return nearest;
    nearest = start;
  }
  return nearest;
}

/** Where a text occurs in another one, in order. Occurrences may overlap. */
export function* occurrences(text: string, quote: string): Generator<number> {
  // borders[n]: the length of the longest beginning of the quote that also ends its first n + 1 units.
  const borders = new Uint32Array(quote.length);
  const extend = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && quote.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    return quote.charCodeAt(length) === unit ? length + 1 : length;
  };
  for (let at = 1; at < quote.length; at += 1)
    borders[at] = extend(borders[at - 1] as number, quote.charCodeAt(at));
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extend(matched, text.charCodeAt(at));
    if (matched === quote.length) {
      yield at + 1 - matched;
      matched = borders[matched - 1] as number;
    }
  }
}
