import { Temporal } from 'temporal-polyfill';
import { LATEST, parseDateTime, truncateFraction } from '../../packages/base/date-time.ts';

export type SchedulingTime = { readonly time: Date } | { readonly problem: string };

// Leap seconds are excluded, as in a date-time with an offset.
const localForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::[0-5]\d(?:\.\d+)?)?$/;

/** Whether a text has one of the two forms of a scheduling time: with an offset, or as wall time. */
export const isSchedulingTime = (text: string): boolean =>
  parseDateTime(text) !== null || parseLocal(text) !== null;

/**
 * The instant of a scheduling time. A time without an offset is wall time in the Site's timezone. Of a wall time that
 * occurs twice, the first is meant; one that a clock change skips is refused (docs/spec/rulings.md, 4).
 */
export function resolveSchedulingTime(text: string, timezone: string): SchedulingTime {
  const instant = parseDateTime(text);
  if (instant !== null) return { time: instant };
  const wall = parseLocal(text);
  if (wall === null)
    return { problem: 'must be a date-time such as 2026-03-01T09:00:00Z or 2026-03-01T09:00:00' };
  const zoned = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (!zoned.toPlainDateTime().equals(wall)) {
    return {
      problem: `does not exist in ${timezone}: a clock change skips it. Send another time, or one with an offset`,
    };
  }
  if (zoned.epochMilliseconds > LATEST) return { problem: 'must be before the year 10000 in UTC' };
  return { time: new Date(zoned.epochMilliseconds) };
}

/** The first instant with the same wall time: an earlier one if clocks went back between them. */
export function firstOccurrence(time: Date, timezone: string): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone);
  const first = zoned.toPlainDateTime().toZonedDateTime(timezone, { disambiguation: 'earlier' });
  return new Date(first.epochMilliseconds);
}

function parseLocal(text: string): Temporal.PlainDateTime | null {
  if (!localForm.test(text)) return null;
  try {
    return Temporal.PlainDateTime.from(truncateFraction(text), { overflow: 'reject' });
  } catch {
    return null;
  }
}
