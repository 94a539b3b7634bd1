import { licencesDocument, refusedLicences } from '../../../tools/dev/licences.ts';

const locked = (license?: string, more: object = {}) => ({
  'node_modules/thing': { version: '1.0.0', ...(license && { license }), ...more },
});

test.each([
  ['MIT', true],
  ['MIT OR GPL-3.0-only', true],
  ['(MIT OR CC0-1.0)', true],
  ['Apache-2.0 AND MIT', true],
  ['Apache-2.0 AND GPL-3.0-only', false],
  ['(MIT OR ISC) AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['LGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
])('a package under %s may be used: %s', (licence, may) => {
  expect(refusedLicences(locked(licence)).length === 0).toBe(may);
});

test('development packages may have any licence', () => {
  expect(refusedLicences(locked('GPL-3.0-only', { dev: true }))).toEqual([]);
});

test('a licence accepted for one package only is refused for another', () => {
  const license = 'LGPL-3.0-or-later';
  expect(refusedLicences({ 'node_modules/@img/sharp-libvips-linux-x64': { version: '1', license } })).toEqual(
    [],
  );
  expect(refusedLicences({ 'node_modules/a/node_modules/other': { version: '1', license } })).toEqual([
    'other 1: LGPL-3.0-or-later',
  ]);
});

test('no document is generated if a licence is refused', () => {
  expect(() => licencesDocument(locked('GPL-3.0-only'))).toThrow('thing 1.0.0: GPL-3.0-only');
  expect(licencesDocument(locked('MIT'))).toContain('| thing | 1.0.0 | MIT |');
});
