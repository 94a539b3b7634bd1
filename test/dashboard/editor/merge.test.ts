import fc from 'fast-check';
import { EMPTY_FIELDS } from '../../../dashboard/screens/editor/saving/fields.ts';
import type { Fields } from '../../../dashboard/screens/editor/saving/fields.ts';
import { decide, mergeFields } from '../../../dashboard/screens/editor/saving/merge-fields.ts';
import { isDisagreement, mergeLines, textOf } from '../../../dashboard/screens/editor/saving/merge-lines.ts';

/** Few different lines, so that texts have much in common, and every kind of line ending. */
const text = fc
  .array(
    fc.tuple(fc.constantFrom('a', 'b', 'c', '', '🍵', '\ud83c'), fc.constantFrom('\n', '\n', '\r\n', '')),
    {
      maxLength: 12,
    },
  )
  .map((lines) => lines.flat().join(''));

const merged = (base: string, theirs: string, mine: string): string | null => {
  const parts = mergeLines(base, theirs, mine);
  return parts.some(isDisagreement) ? null : textOf(parts, []);
};

test('a text that only one side changed is taken from that side, and a change that both made once', () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      expect(merged(base, changed, base)).toBe(changed);
      expect(merged(base, base, changed)).toBe(changed);
      expect(merged(base, changed, changed)).toBe(changed);
    }),
    { numRuns: 500 },
  );
});

test('both sides get the same parts, and can have each text whole', () => {
  fc.assert(
    fc.property(text, text, text, (base, theirs, mine) => {
      const parts = mergeLines(base, theirs, mine);
      const mirrored = mergeLines(base, mine, theirs);
      const swapped = mirrored.map((part) =>
        isDisagreement(part) ? { base: part.base, theirs: part.mine, mine: part.theirs } : part,
      );
      expect(parts).toEqual(swapped);
    }),
    { numRuns: 1_000 },
  );
});

/** A document of numbered lines, and words that each side adds at the end of a line or as a line of its own. */
const additions = (by: string) =>
  fc
    .array(fc.record({ line: fc.nat(9), own: fc.boolean() }), { maxLength: 6 })
    .map((places) => places.map(({ line, own }, index) => ({ line, own, word: `${by}${index}` })));
type Addition = { readonly line: number; readonly own: boolean; readonly word: string };
const numbered = Array.from({ length: 10 }, (_, line) => `line ${line}`);
const withAdditions = (all: readonly Addition[]): string =>
  numbered
    .flatMap((line, index) => {
      const here = all.filter((addition) => addition.line === index);
      const changed = [line, ...here.filter(({ own }) => !own).map(({ word }) => word)].join(' ');
      return [changed, ...here.filter(({ own }) => own).map(({ word }) => word)];
    })
    .join('\n');

test('no word of either side is lost: it is merged, or in both versions of a disagreement', () => {
  fc.assert(
    fc.property(additions('theirs'), additions('mine'), (theirs, mine) => {
      const parts = mergeLines(numbered.join('\n'), withAdditions(theirs), withAdditions(mine));
      const words = textOf(
        parts,
        parts.map(() => 'both'),
      ).split(/\s/);
      for (const { word } of [...theirs, ...mine]) expect(words).toContain(word);
    }),
    { numRuns: 1_000 },
  );
});

test('changes of lines that do not touch are merged without a question', () => {
  fc.assert(
    fc.property(additions('theirs'), additions('mine'), (theirs, mine) => {
      const apart = mine.filter(({ line }) => theirs.every((other) => Math.abs(other.line - line) > 1));
      const result = merged(numbered.join('\n'), withAdditions(theirs), withAdditions(apart));
      expect(result).toBe(withAdditions([...theirs, ...apart]));
    }),
    { numRuns: 1_000 },
  );
});

test('a text of 100,000 different lines is merged in bounded time', () => {
  const lines = Array.from({ length: 100_000 }, (_, line) => `${line}`);
  const theirs = lines.toSpliced(10, 1, 'theirs').join('\n');
  const mine = lines.toSpliced(99_000, 1, 'mine').join('\n');
  // It has more different lines than there are characters, so it is one disagreement.
  expect(mergeLines(lines.join('\n'), theirs, mine)).toEqual([{ base: lines.join('\n'), theirs, mine }]);
});

describe('fields', () => {
  const base: Fields = {
    ...EMPTY_FIELDS,
    title: 'Tea',
    excerpt: 'Old',
    content: 'one\ntwo\nthree',
    tag_ids: ['a', 'b'],
  };

  test('of which each side changed others are merged', () => {
    const { fields, conflicts } = mergeFields(
      base,
      { ...base, title: 'Green tea' },
      { ...base, excerpt: 'New' },
    );
    expect(conflicts).toEqual([]);
    expect(fields).toEqual({ ...base, title: 'Green tea', excerpt: 'New' });
  });

  test('tags are a set: both sides add and remove', () => {
    const merge = mergeFields(base, { ...base, tag_ids: ['b', 'c'] }, { ...base, tag_ids: ['d', 'a'] });
    expect(merge).toEqual({ fields: { ...base, tag_ids: ['c', 'd'] }, conflicts: [] });
  });

  test('that both changed are a conflict with both values, and what is chosen is taken', () => {
    const theirs = { ...base, title: 'Theirs', content: 'one\nTWO\nthree' };
    const mine = { ...base, title: 'Mine', content: 'one\n2\nthree' };
    const merge = mergeFields(base, theirs, mine);
    expect(merge.conflicts).toEqual([
      { field: 'title', theirs: 'Theirs', mine: 'Mine' },
      {
        field: 'content',
        parts: [{ agreed: 'one\n' }, { base: 'two\n', theirs: 'TWO\n', mine: '2\n' }, { agreed: 'three' }],
      },
    ]);
    expect(decide(merge, {})).toEqual(mine);
    expect(decide(merge, { title: 'theirs', content: ['theirs'] })).toEqual(theirs);
    expect(decide(merge, { content: ['both'] }).content).toBe('one\nTWO\n2\nthree');
  });

  test('null, an empty text and an empty list are the same', () => {
    const merge = mergeFields(base, { ...base, seo_title: '' }, { ...base, seo_keywords: [] });
    expect(merge.conflicts).toEqual([]);
  });
});
