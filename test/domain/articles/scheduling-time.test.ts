import { firstOccurrence, resolveSchedulingTime } from '../../../domain/articles/scheduling-time.ts';

test('a wall time west of Greenwich stays within four-digit years', () => {
  expect(resolveSchedulingTime('9999-12-31T18:59:59.999', 'America/New_York')).toEqual({
    time: new Date('9999-12-31T23:59:59.999Z'),
  });
  expect(resolveSchedulingTime('9999-12-31T19:00:00', 'America/New_York')).toEqual({
    problem: expect.stringContaining('year 10000') as string,
  });
});

test('a wall time around a half-hour clock change is refused if skipped, and the first one if repeated', () => {
  expect(resolveSchedulingTime('2027-10-03T02:15:00', 'Australia/Lord_Howe')).toHaveProperty('problem');
  expect(resolveSchedulingTime('2027-04-04T01:45:00', 'Australia/Lord_Howe')).toEqual({
    time: new Date('2027-04-03T14:45:00.000Z'),
  });
});

test.each([
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['2026-10-25T02:00:00Z', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
  ['2027-04-03T15:15:00Z', 'Australia/Lord_Howe', '2027-04-03T14:45:00Z'],
  ['2026-10-25T01:30:00Z', 'UTC', '2026-10-25T01:30:00Z'],
])('the wall time of %s in %s occurs first at %s', (time, timezone, first) => {
  expect(firstOccurrence(new Date(time), timezone)).toEqual(new Date(first));
});

test('fractions of any length are truncated to milliseconds, in wall times and with an offset', () => {
  for (const digits of [1, 3, 4, 9, 10, 30]) {
    const fraction = '123456789'.repeat(4).slice(0, digits);
    const time = new Date(`2027-03-01T09:00:00.${fraction.slice(0, 3)}Z`);
    expect(resolveSchedulingTime(`2027-03-01T09:00:00.${fraction}`, 'UTC')).toEqual({ time });
    expect(resolveSchedulingTime(`2027-03-01T09:00:00.${fraction}Z`, 'UTC')).toEqual({ time });
  }
});
