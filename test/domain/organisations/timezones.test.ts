import { isTimezone } from '../../../domain/organisations/timezones.ts';
import { resolveSchedulingTime } from '../../../domain/articles/scheduling-time.ts';

test('every time zone that a browser offers is one, and has wall times', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    expect([name, isTimezone(name)]).toEqual([name, true]);
    expect(resolveSchedulingTime('2027-07-01T12:00:00', name)).toHaveProperty('time');
  }
});

test.each(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'US/Pacific', 'EST', 'EST5EDT', 'GB', 'W-SU', 'Etc/GMT+5'])(
  'another name of the IANA database is one: %s',
  (name) => {
    expect(isTimezone(name)).toBe(true);
    expect(resolveSchedulingTime('2027-07-01T12:00:00', name)).toHaveProperty('time');
  },
);

test.each([
  ['an abbreviation that ICU reads as a zone of its own', ['BST', 'IST', 'PST', 'CST', 'JST', 'AET', 'VST']],
  ['a name that the database has dropped', ['SystemV/AST4ADT', 'Systemv/AST4ADT', 'US/Pacific-New']],
  ['its last one', ['Canada/East-Saskatchewan']],
  ['a name in another case', ['Asia/kolkata', 'US/PACIFIC', 'Est', 'Utc', 'europe/berlin', 'EUROPE/BERLIN']],
  ['an offset', ['+01:00', '-05', 'UTC+1', 'GMT+1']],
  ['a name of no place', ['Factory', 'Etc/Unknown', 'Local', 'Mars/Olympus', '', 'Berlin', 'Europe', ' UTC']],
  ['more than a name', ['2026-01-01T00:00[Europe/Berlin]', 'Europe/Berlin[u-ca=iso8601]', 'Europe/../UTC']],
])('is none: %s', (_what, names) => {
  expect(names.filter(isTimezone)).toEqual([]);
});
