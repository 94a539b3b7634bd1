import { useMemo } from 'react';
import { texts } from '../text/texts.ts';
import type { Period } from './periods.ts';

const HOUR_MS = 3_600_000;
const lengths: Record<Period, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

export const periodTexts = texts(
  {
    label: 'Time',
    any: 'Any time',
    hour: 'Last hour',
    day: 'Last 24 hours',
    week: 'Last 7 days',
    month: 'Last 30 days',
  },
  {
    label: 'Zeit',
    any: 'Jederzeit',
    hour: 'Letzte Stunde',
    day: 'Letzte 24 Stunden',
    week: 'Letzte 7 Tage',
    month: 'Letzte 30 Tage',
  },
);

export const sinceOf = (period: Period): string => new Date(Date.now() - lengths[period]).toISOString();

/** The beginning of a period; it stays the same for all pages of a list. */
export const useSince = (period: Period | undefined): string | undefined =>
  useMemo(() => (period === undefined ? undefined : sinceOf(period)), [period]);
