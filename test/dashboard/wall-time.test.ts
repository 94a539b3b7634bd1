import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { meaningOf, wallTimeOf } from '../../dashboard/text/wall-time.ts';

const at = (time: string): Date => new Date(time);

test.each([
  ['2026-06-01T09:00', 'Europe/Berlin', { kind: 'once', instant: at('2026-06-01T07:00:00Z') }],
  ['2026-03-29T02:30', 'Europe/Berlin', { kind: 'never', instead: '2026-03-29T03:30' }],
  [
    '2026-10-25T02:30',
    'Europe/Berlin',
    { kind: 'twice', first: at('2026-10-25T00:30:00Z'), second: at('2026-10-25T01:30:00Z') },
  ],
  // Clocks change by half an hour, and at midnight.
  ['2026-10-04T02:15', 'Australia/Lord_Howe', { kind: 'never', instead: '2026-10-04T02:45' }],
  ['2026-04-24T00:30', 'Africa/Cairo', { kind: 'never', instead: '2026-04-24T01:30' }],
  ['2026-06-01T09:00', 'Asia/Kathmandu', { kind: 'once', instant: at('2026-06-01T03:15:00Z') }],
  ['2026-06-01T09:00', 'UTC', { kind: 'once', instant: at('2026-06-01T09:00:00Z') }],
  ['2026-02-30T09:00', 'UTC', { kind: 'malformed' }],
  ['', 'UTC', { kind: 'malformed' }],
])('%s in %s', (wall, timeZone, meaning) => {
  expect(meaningOf(wall, timeZone)).toEqual(meaning);
});

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Tehran',
  'America/St_Johns',
  'UTC',
  'Pacific/Apia',
];

test('every wall time means what Temporal says', () => {
  const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...zones), (minutes, timeZone) => {
      const wall = new Date(minutes * 60_000).toISOString().slice(0, 16);
      const plain = Temporal.PlainDateTime.from(wall);
      const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
        plain.toZonedDateTime(timeZone, { disambiguation }),
      ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
      const [first, second] = [at(earlier.toInstant().toString()), at(later.toInstant().toString())];
      const expected = earlier.equals(later)
        ? { kind: 'once', instant: first }
        : later.toPlainDateTime().equals(plain)
          ? { kind: 'twice', first, second }
          : { kind: 'never', instead: later.toPlainDateTime().toString({ smallestUnit: 'minute' }) };
      expect(meaningOf(wall, timeZone)).toEqual(expected);
      expect(wallTimeOf(first, timeZone)).toBe(
        earlier.toPlainDateTime().toString({ smallestUnit: 'minute' }),
      );
    }),
    { numRuns: 2_000 },
  );
});

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'so do all minutes around the changes of 2026 in %s',
  (timeZone) => {
    const kinds = new Set<string>();
    let transition = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${timeZone}]`).getTimeZoneTransition(
      'next',
    );
    for (let changes = 0; changes < 2; changes += 1) {
      const start = (transition as Temporal.ZonedDateTime).toPlainDateTime().subtract({ hours: 3 });
      for (let minutes = 0; minutes < 360; minutes += 5) {
        const wall = start.add({ minutes }).toString({ smallestUnit: 'minute' });
        const meaning = meaningOf(wall, timeZone);
        kinds.add(meaning.kind);
        const expected = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone, {
          disambiguation: 'earlier',
        });
        const isThere = expected.toPlainDateTime().toString({ smallestUnit: 'minute' }) === wall;
        expect([wall, meaning.kind !== 'never']).toEqual([wall, isThere]);
      }
      transition = (transition as Temporal.ZonedDateTime).getTimeZoneTransition('next');
    }
    expect([...kinds].toSorted()).toEqual(['never', 'once', 'twice']);
  },
);
