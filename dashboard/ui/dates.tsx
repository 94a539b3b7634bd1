import '@mantine/dates/styles.css';
import 'dayjs/locale/de';
import { DatesProvider } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useLanguage } from '../text/language.ts';

export { Calendar, DatePickerInput, DateTimePicker, MonthPickerInput, TimeInput } from '@mantine/dates';

/** Around pickers of dates: their words, and Monday as the first day. Only screens that need dates load this. */
export function Dates({ children }: { readonly children: ReactNode }): ReactNode {
  return <DatesProvider settings={{ locale: useLanguage(), firstDayOfWeek: 1 }}>{children}</DatesProvider>;
}
