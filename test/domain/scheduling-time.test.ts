import { resolveSchedulingTime } from '../../domain/scheduling-time.ts';

test('a wall time west of Greenwich stays within the years that an answer can show', () => {
  expect(resolveSchedulingTime('9999-12-31T18:59:59.999', 'America/New_York')).toEqual({
    time: new Date('9999-12-31T23:59:59.999Z'),
  });
  expect(resolveSchedulingTime('9999-12-31T19:00:00', 'America/New_York')).toEqual({
    problem: expect.stringContaining('year 10000') as string,
  });
});

test('a wall time at the odd half hour of a clock change is skipped, or the first of two', () => {
  expect(resolveSchedulingTime('2027-10-03T02:15:00', 'Australia/Lord_Howe')).toHaveProperty('problem');
  expect(resolveSchedulingTime('2027-04-04T01:45:00', 'Australia/Lord_Howe')).toEqual({
    time: new Date('2027-04-03T14:45:00.000Z'),
  });
});
