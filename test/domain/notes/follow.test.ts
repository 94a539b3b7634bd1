import fc from 'fast-check';
import { editOf, follow, indexedText, nearestOccurrence, occurrences } from '../../../domain/notes/follow.ts';

const points = (text: string): string[] => Array.from(text);
const at = (text: string, start: number, quote: string): string =>
  points(text)
    .slice(start, start + points(quote).length)
    .join('');

/** Texts in which much reads alike, with characters of one and of two units, and marks that join the one before. */
const alike = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '😁', '\u0301'), maxLength: 12 });
const quotes = alike.filter((text) => text !== '');

test('an edit elsewhere never moves a note to other text', () => {
  fc.assert(
    fc.property(
      alike,
      quotes,
      alike,
      alike,
      alike,
      alike,
      fc.boolean(),
      (head, quote, tail, old, now, gap, isBefore) => {
        // The quote, and beside it a replaced part, apart from it by an unchanged one.
        const [before, after] = isBefore
          ? [`${head}${old}${gap}|${quote}${tail}`, `${head}${now}${gap}|${quote}${tail}`]
          : [`${head}${quote}|${gap}${old}${tail}`, `${head}${quote}|${gap}${now}${tail}`];
        const lead = (replaced: string): number =>
          points(isBefore ? `${head}${replaced}${gap}|` : head).length;
        const place = { quote, start: lead(old), near: lead(old) };
        expect(follow(place, editOf(before, after))).toEqual({ start: lead(now), near: lead(now) });
      },
    ),
    { numRuns: 3_000 },
  );
});

test('through any edit, a note is on its quote, or the text has none', () => {
  fc.assert(
    fc.property(
      alike,
      quotes,
      alike,
      fc.array(alike, { minLength: 1, maxLength: 5 }),
      (head, quote, tail, texts) => {
        let text = head + quote + tail;
        let anchor: { start: number | null; near: number } = {
          start: points(head).length,
          near: points(head).length,
        };
        for (const next of texts) {
          anchor = follow({ quote, ...anchor }, editOf(text, next));
          if (anchor.start === null) expect(next.includes(quote)).toBe(false);
          else expect(at(next, anchor.start, quote)).toBe(quote);
          text = next;
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a note whose text is gone comes back with it, to the nearest place', () => {
  const gone = follow(
    { quote: 'salt', start: 11, near: 11 },
    editOf('Flour, and salt.', 'Flour, and yeast.'),
  );
  expect(gone.start).toBeNull();
  const back = follow(
    { quote: 'salt', ...gone },
    editOf('Flour, and yeast.', 'salt, Flour, and salt or salt.'),
  );
  expect(back).toEqual({ start: 17, near: 17 });
});

test('a note moves to the nearest occurrence when its own is removed', () => {
  const text = 'one two one two one';
  expect(follow({ quote: 'one', start: 8, near: 8 }, editOf(text, 'one two two one')).start).toBe(12);
  expect(follow({ quote: 'one', start: 16, near: 16 }, editOf(text, 'one two one two')).start).toBe(8);
});

test('places are counted in code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const indexed = indexedText(text);
      const all = points(text);
      let unit = 0;
      for (const [point, character] of all.entries()) {
        expect([indexed.unitAt(point), indexed.pointAt(unit)]).toEqual([unit, point]);
        unit += character.length;
      }
      expect(indexed.unitAt(all.length + 5)).toBe(text.length);
    }),
  );
  expect(follow({ quote: 'salt', start: 1, near: 1 }, editOf('😀salt', '😀😀😀salt'))).toEqual({
    start: 3,
    near: 3,
  });
});

test('the search finds what a plain one finds', () => {
  const plain = (text: string, quote: string): number[] =>
    Array.from({ length: text.length }, (_, index) => index).filter((index) => text.startsWith(quote, index));
  fc.assert(
    fc.property(alike, quotes, fc.nat(20), (text, quote, near) => {
      const all = plain(text, quote);
      expect([...occurrences(text, quote)]).toEqual(all);
      const distances = all.map((start) => Math.abs(start - near));
      const nearest = nearestOccurrence(text, quote, near);
      expect(nearest).toBe(all[distances.indexOf(Math.min(...distances))] ?? null);
    }),
  );
});

test('the search takes steps in proportion to the texts, however alike they read', () => {
  // The product of the lengths would be a billion comparisons.
  const text = 'a'.repeat(900_000);
  let read = 0;
  const counted = {
    length: text.length,
    charCodeAt(index: number): number {
      read += 1;
      return text.charCodeAt(index);
    },
  };
  expect(nearestOccurrence(counted as unknown as string, `${'a'.repeat(999)}b`, 5)).toBeNull();
  expect(read).toBeLessThanOrEqual(text.length);
});
