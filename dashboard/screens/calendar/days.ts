import type { View } from './search.ts';

/** A day of the calendar without a time zone: `2026-03-29`. */
export type Day = string;

const DAY_MS = 86_400_000;
const FORM = /^\d{4}-\d{2}-\d{2}$/;

/** Days are reckoned in UTC, where each has 24 hours. */
const toUtc = (day: Day): Date => new Date(`${day}T00:00:00Z`);
const fromUtc = (time: Date): Day => time.toISOString().slice(0, 10);

export const isDay = (text: string | undefined): text is Day =>
  text !== undefined &&
  FORM.test(text) &&
  !Number.isNaN(toUtc(text).getTime()) &&
  fromUtc(toUtc(text)) === text;

export const addDays = (day: Day, count: number): Day =>
  fromUtc(new Date(toUtc(day).getTime() + count * DAY_MS));

/** The same day of another month, or its last day. */
function addMonths(day: Day, count: number): Day {
  const first = toUtc(`${day.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() + count);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(last, Number(day.slice(8))));
  return fromUtc(first);
}

/** The Monday of a week. */
const monday = (day: Day): Day => addDays(day, -((toUtc(day).getUTCDay() + 6) % 7));

/** The days that a view shows, whole weeks for the month. */
export function daysOf(view: View, on: Day): readonly Day[] {
  if (view === 'week') return range(monday(on), 7);
  const first = `${on.slice(0, 7)}-01`;
  const next = addMonths(first, 1);
  if (view === 'list') return range(first, between(first, next));
  const start = monday(first);
  return range(start, Math.ceil(between(start, next) / 7) * 7);
}

/** The day that is shown after going on or back by one view. */
export const stepped = (view: View, on: Day, by: 1 | -1): Day =>
  view === 'week' ? addDays(on, 7 * by) : addMonths(on, by);

const between = (from: Day, to: Day): number =>
  Math.round((toUtc(to).getTime() - toUtc(from).getTime()) / DAY_MS);

const range = (from: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(from, index));

/** For formats of dates, with the time zone UTC. */
export const noon = (day: Day): Date => new Date(`${day}T12:00:00Z`);
