import fc from 'fast-check';
import { checkClaims } from '../../../domain/pipeline/claims/check.ts';
import { tooManyUnsupported, verdicts } from '../../../domain/pipeline/claims/claim.ts';
import type { Claim, FoundClaim, Material } from '../../../domain/pipeline/claims/claim.ts';
import { examineClaims } from '../../../domain/pipeline/claims/examine.ts';
import { supported, unsupported } from '../../support/claims.ts';

const sources = [
  { n: 1, text: 'Green tea is brewed\n at 80 °C. Black tea needs boiling water.' },
  { n: 2, text: 'In 2024, 300 tons were picked by hand.' },
  { n: 3, text: null },
];
const check = (content: string, ...found: FoundClaim[]) => checkClaims({ content, sources }, found);
const placesOf = (claims: readonly Claim[]) => claims.map(({ text, near }) => [text, near]);

test.each([
  ['without a citation', 'Green tea is brewed at 80 °C.', 'supported'],
  ['that cites its source', 'Green tea is brewed at 80 °C [^1].', 'supported'],
  ['that cites its source behind it', 'Green tea is brewed at 80 °C. [^1] It is old.[^2]', 'supported'],
  ['that cites its source and another', 'Green tea is brewed at 80 °C. [^2][^1]', 'supported'],
  ['that cites another', 'Green tea is brewed at 80 °C.[^2]', 'weak'],
  ['that cites another within it', 'Green tea[^2] is brewed at 80 °C.', 'weak'],
  ['before one that cites another', 'Green tea is brewed at 80 °C. It is old. [^2]', 'supported'],
])('a claim %s', (_, content, verdict) => {
  const [claim] = check(content, supported('Green tea is brewed at 80 °C', 1, 'brewed at 80 °C'));
  expect(claim).toMatchObject({ verdict, source_n: 1, evidence: 'brewed at 80 °C' });
});

test.each([
  ['invented', 1, 'brewed at 70 °C'],
  ['of another source', 2, 'brewed at 80 °C'],
  ['of a source that the article does not have', 4, 'brewed at 80 °C'],
  ['of a source that was not read', 3, 'brewed at 80 °C'],
  ['empty', 1, ' \n '],
  ['a word that is anywhere', 1, 'tea'],
])('evidence that is %s supports nothing', (_, n, evidence) => {
  const [claim] = check(
    'Green tea is brewed at 80 °C.',
    supported('Green tea is brewed at 80 °C.', n, evidence),
  );
  expect(claim).toMatchObject({ verdict: 'unsupported', source_n: null, evidence: null });
});

test('a claim is found without regard to Markdown and white space, and shown as the text has it', () => {
  const content = '# Tea\n\n> 𝒯wo **sorts** of [green\ntea](https://tea.example "Tea") are _old_ [^1].\n';
  const claims = check(
    content,
    unsupported('Two sorts'),
    unsupported('sorts of green tea are old'),
    unsupported('of [green tea](https://tea.example "Tea") are'),
    unsupported('Nobody says this.'),
    unsupported('tea'),
  );
  expect(placesOf(claims)).toEqual([
    ['sorts** of [green\ntea](https://tea.example "Tea") are _old', 15],
    ['of [green\ntea](https://tea.example "Tea") are', 23],
  ]);
});

test('the same claim again is the next sentence that reads like it, and no more than there are', () => {
  const same = unsupported('Tea is old.');
  const claims = check(
    'Tea is old. Water is wet. Tea is old.',
    same,
    unsupported('Water is wet.'),
    same,
    same,
  );
  expect(placesOf(claims)).toEqual([
    ['Tea is old.', 0],
    ['Water is wet.', 12],
    ['Tea is old.', 26],
  ]);
});

const words = fc.constantFrom(
  'tea',
  'is',
  '*old*',
  '80 °C.',
  '[^1]',
  '[^2]',
  '\n',
  '- ',
  '𝒯ea',
  '[a](b)',
  '`c`',
  '',
);
const text = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' '));
const said = fc.record({
  text,
  verdict: fc.constantFrom(...verdicts),
  source_n: fc.option(fc.integer({ min: 0, max: 3 })),
  evidence: fc.option(text),
});

test('whatever a model says, the text has each claim where it is said to be, and the source its evidence', () => {
  const flat = (value: string) => value.replaceAll(/\s+/g, ' ').trim();
  fc.assert(
    fc.property(
      text,
      fc.array(text, { maxLength: 3 }),
      fc.array(said, { maxLength: 20 }),
      (content, read, found) => {
        const given = read.map((one, index) => ({ n: index + 1, text: one }));
        const claims = checkClaims({ content, sources: given }, found);
        expect(claims.length).toBeLessThanOrEqual(found.length);
        for (const { text: claim, near, verdict, source_n: n, evidence } of claims) {
          expect(
            Array.from(content)
              .slice(near, near + Array.from(claim).length)
              .join(''),
          ).toBe(claim);
          if (verdict === 'unsupported') expect([n, evidence]).toEqual([null, null]);
          else expect(flat(read[(n ?? 0) - 1] ?? '')).toContain(evidence);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('evidence is cut to 500 characters, and is still word by word', () => {
  const long = `Tea ${'is very old and '.repeat(60)}`;
  const given = [{ n: 1, text: long }];
  const [claim] = checkClaims({ content: 'Tea is old.', sources: given }, [
    supported('Tea is old.', 1, long),
  ]);
  expect(claim?.evidence?.length).toBeGreaterThan(490);
  expect(claim?.evidence?.length).toBeLessThanOrEqual(500);
  expect(long).toContain(claim?.evidence);
});

const material = (content: string, values: Partial<Material> = {}): Material => ({
  content,
  sources,
  notes: null,
  locale: 'en',
  ...values,
});
const without = (content: string, values: Partial<Material> = {}) =>
  examineClaims({ ...material(content, values), found: null });

test('without a model, each sentence that states something is a claim, supported by one that means the same', () => {
  const content = [
    '# Black tea needs boiling water',
    'Do you drink green tea? **Black tea** needs\nboiling water. [^1]',
    '- In 2024, 300 tons were picked by hand. [^2]\n- In 2023, 300 tons were picked by hand. [^2]',
    '- Black tea needs boiling water. [^2]',
    '```\nThis is a line of code and no claim.\n```',
    '| A table is not looked at. |',
    '[^1]: https://tea.example is a definition.',
  ].join('\n\n');
  const claims = without(content);
  expect(claims.map((claim) => [claim.text, claim.verdict, claim.source_n])).toEqual([
    ['Black tea** needs\nboiling water.', 'supported', 1],
    ['In 2024, 300 tons were picked by hand.', 'supported', 2],
    ['In 2023, 300 tons were picked by hand.', 'unsupported', null],
    ['Black tea needs boiling water.', 'weak', 1],
  ]);
  expect(claims[1]?.evidence).toBe('In 2024, 300 tons were picked by hand.');
  for (const { text: claim, near } of claims)
    expect(Array.from(content).slice(near).join('').startsWith(claim)).toBe(true);
});

test('what the notes say is supported by no source in particular, and nothing is without notes and sources', () => {
  const notes = 'A warm kitchen makes it faster.';
  expect(without(notes, { sources: [], notes })).toMatchObject([
    { verdict: 'supported', source_n: null, evidence: notes },
  ]);
  expect(without(notes, { sources: [] })).toMatchObject([{ verdict: 'unsupported', evidence: null }]);
});

test.each<[number, number, number | null, boolean]>([
  [0, 0, 0, false],
  [4, 1, null, false],
  [4, 1, 25, false],
  [4, 1, 24, true],
  [4, 4, 100, false],
  [300, 1, 0, true],
])('of %d claims %d may have no source if at most %s percent may: not %p', (all, none, most, tooMany) => {
  const claims = Array.from({ length: all }, (_, index) => ({
    ...(index < none
      ? unsupported('Tea is old.')
      : { ...supported('Tea is old.', 1, 'x'), verdict: 'weak' as const }),
    near: 0,
  }));
  const message = tooManyUnsupported(claims, most);
  expect(message).toBe(tooMany ? `${none} of ${all} claims have no source; at most ${most} % may.` : null);
});
