import { examineJsonLd } from '../../../domain/seo/pages/json-ld.ts';

const nested = (depth: number, inner = ''): string => '['.repeat(depth) + inner + ']'.repeat(depth);

test.each([5_000, 200_000])('%d lists in lists are examined, wherever they stand', (depth) => {
  const blocks = [
    nested(depth),
    `{"@type": "FAQPage", "mainEntity": ${nested(depth)}}`,
    `{"@type": ${nested(depth)}}`,
  ];
  expect(examineJsonLd(blocks)).toEqual({ invalid: [], types: ['FAQPage'], missing: [] });
});

test('lists in lists that say nothing are missing', () => {
  const { missing } = examineJsonLd([`{"@type": "FAQPage", "mainEntity": ${nested(3, '" "')}}`]);
  expect(missing).toEqual([{ type: 'FAQPage', property: 'mainEntity', required: true }]);
});
