import { useMemo } from 'react';
import { useLanguage } from './language.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const dayAndTime = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** The language of the interface, as it is written in the person's country. */
const localeOf = (language: string): string =>
  navigator.languages.find((locale) => locale.split('-')[0] === language) ?? language;

/** For a format of one's own: every date on a page is written in one way. */
export const useLocale = (): string => localeOf(useLanguage());

/** Dates, numbers and lists in the language of the interface. */
export function useFormat() {
  const language = useLocale();
  return useMemo(() => {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const number = new Intl.NumberFormat(language);
    const list = new Intl.ListFormat(language, { type: 'conjunction' });
    return {
      number: (value: number): string => number.format(value),
      list: (values: readonly string[]): string => list.format(values),
      /** @param timeZone of the Site; without one, that of the browser */
      dateTime: (time: string | Date, timeZone?: string): string =>
        new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
          new Date(time),
        ),
      /** With the day of the week and the name of the time zone, for a time that is being chosen. */
      zoned: (time: string | Date, timeZone: string): string =>
        new Intl.DateTimeFormat(language, { ...dayAndTime, timeZone }).format(new Date(time)),
      date: (time: string | Date, timeZone?: string): string =>
        new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(time)),
      /** Such as “3 minutes ago”. */
      ago: (time: string | Date, now: number): string => {
        const seconds = (new Date(time).getTime() - now) / 1_000;
        const [unit, length] =
          units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
        return unit === 'second'
          ? relative.format(0, 'second')
          : relative.format(Math.trunc(seconds / length), unit);
      },
      bytes: (value: number): string => {
        const [divisor, unit] =
          value < 1e6
            ? ([1e3, 'kilobyte'] as const)
            : value < 1e9
              ? ([1e6, 'megabyte'] as const)
              : ([1e9, 'gigabyte'] as const);
        const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
        return new Intl.NumberFormat(language, options).format(value / divisor);
      },
    };
  }, [language]);
}
