import { followReferences } from '../../../tools/dev/references.ts';

/** References are built from parts, so that the check does not find them in this file. */
const docs = 'docs';
const adr = 'ADR';
const former = { decisions: 'decisions', specification: 'specification' };
const spec = (section: string): string => `${docs}/spec/limits.md, ${section}`;
const decision = (number: string): string => `${docs}/decisions/${number}`;

const repository = {
  'README.md': '# Start\n\n## `npm start` & more\n\n## Twice\n\n## Twice\n',
  [`${docs}/guide.md`]: '# Guide\n\n```sh\n# Not a heading\n```\n',
  [`${docs}/spec/limits.md`]: '# Limits\n\n## Rates, by key\n\n## 7. Webhooks\n\n## 14. More\n',
  [`${docs}/decisions/0007-one.md`]: '# 0007: One\n',
  'db/migrations/1_first.sql': '',
  'api/main.ts': '',
};

/** The broken references of one additional file. */
const brokenBy = (path: string, text: string): readonly string[] =>
  followReferences(new Map(Object.entries({ ...repository, [path]: text }))).broken.map((reference) =>
    reference.replace(`${path}: `, ''),
  );

const code = (text: string): readonly string[] => brokenBy('api/code.ts', text);
const prose = (text: string): readonly string[] => brokenBy(`${docs}/prose.md`, text);

test.each([
  '7',
  '7, Retries',
  '7 and 14',
  'Rates, by key',
  'Rates, by key, rule 2',
  'Rates,\n * by key',
  '7. And so on',
])('a citation of a section that exists is sound: %j', (section) => {
  expect(code(`/**\n * As agreed (${spec(section)}).\n */`)).toEqual([]);
});

test.each(['8', '7 and 8', '70', 'Rates', 'Rates, by key too', 'rates, by key'])(
  'a citation of a section that does not exist is broken: %s',
  (section) => {
    expect(code(`// As agreed (${spec(section)}).`)).toEqual([spec(section)]);
  },
);

test('citations of files and decisions are resolved', () => {
  expect(code(`// See ${docs}/guide.md and ${decision('0007')}.`)).toEqual([]);
  expect(code(`// See ${docs}/gide.md.`)).toEqual([`${docs}/gide.md`]);
  expect(code(`// See ${docs}/guide.md#guide and ${docs}/guide.md#gide`)).toEqual([`${docs}/guide.md#gide`]);
  expect(code(`// See ${decision('0007, 0008')}, ${adr} 0009.`)).toEqual([
    decision('0007, 0008'),
    `${adr} 0009`,
  ]);
});

test("a citation of a folder's document is resolved", () => {
  const document = (folder: string): string => `${folder}/README.md`;
  const citing = `// See ${document('api')} and ${document('db/gone')}.`;
  expect(brokenBy('api/code.ts', citing)).toEqual([document('api'), document('db/gone')]);
  const files = new Map([
    [document('api'), '# API\n'],
    ['api/code.ts', `// See ${document('api')}.`],
  ]);
  expect(followReferences(files)).toEqual({ followed: 1, broken: [] });
});

test('a citation that names no file is refused', () => {
  expect(code(`// As agreed (${former.decisions} 7), (${former.specification}, Limits)`)).toEqual([
    `${former.decisions} 7 names no file`,
    `(${former.specification} names no file`,
  ]);
});

test.each([
  ['guide.md', true],
  ['../README.md#npm-start--more', true],
  ['../README.md#twice-1', true],
  ['../api', true],
  ['#here', true],
  ['https://example.com/x.md', true],
  ['guid.md', false],
  ['../README.md#twice-2', false],
  ['guide.md#not-a-heading', false],
  ['#there', false],
])('a link to %s leads somewhere: %s', (link, leads) => {
  expect(prose(`# Here\n\nSee [it](${link}).`)).toEqual(leads ? [] : [link]);
});

test.each([
  ['api/main.ts', true],
  ['decisions/0007-one.md', true],
  ['db/migrations', true],
  ['migrations/', true],
  ['main.ts', true],
  ['.presswork/demo.json', true],
  ['text/markdown', true],
  ['api/mian.ts', false],
  ['net/client.ts', false],
  ['db/migration', false],
  ['net/', false],
  ['mian.ts', false],
])('a document may name %s: %s', (path, may) => {
  expect(prose(`In \`${path}\`.`)).toEqual(may ? [] : [path]);
});

test('references are counted', () => {
  const { followed } = followReferences(
    new Map([...Object.entries(repository), ['api/code.ts', `// ${spec('7')}, ${decision('0007')}`]]),
  );
  expect(followed).toBe(2);
});
