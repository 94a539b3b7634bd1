import fc from 'fast-check';
import { externalIdsOf } from '../../../cli/site-export/external-ids.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

test('external ids are all different, and one is only replaced by the id of its article', () => {
  const articles = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }).chain((used) =>
    fc.tuple(
      ...used.map((id) =>
        fc.record({
          id: fc.constant(id),
          external_id: fc.option(fc.constantFrom('', 'x', 'y', ...ids)),
          created_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
        }),
      ),
    ),
  );
  fc.assert(
    fc.property(articles, (list) => {
      const found = externalIdsOf(list);
      expect(new Set(found.values()).size).toBe(list.length);
      for (const { id, external_id: own } of list) expect([own, id]).toContain(found.get(id));
      expect([...found.values()]).not.toContain('');
      // In another order the result is the same.
      expect(new Map([...externalIdsOf(list.toReversed())].sort())).toEqual(new Map([...found].sort()));
    }),
  );
});

test('only what has to be replaced is replaced', () => {
  const at = (id: string, external_id: string | null, day = 1) => ({
    id,
    external_id,
    created_at: `2026-01-0${day}T00:00:00.000Z`,
  });
  const found = externalIdsOf([at('a', 'x', 2), at('b', 'x', 1), at('c', null), at('d', 'c'), at('e', 'f')]);
  expect(Object.fromEntries(found)).toEqual({ a: 'a', b: 'x', c: 'c', d: 'd', e: 'f' });
});
