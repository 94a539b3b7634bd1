import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useLocale } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ownTimeZone, wallTimeOf } from '../../text/wall-time.ts';
import { screenTexts } from './text.ts';

/** Which clock the calendar is on, and both times if the person's differs. */
export function Clocks(): ReactNode {
  const { timezone } = useSite();
  const locale = useLocale();
  const text = useText(screenTexts);
  const now = new Date();
  const own = ownTimeZone();
  if (wallTimeOf(now, timezone) === wallTimeOf(now, own)) return text.clock(timezone);
  const time = (timeZone: string): string =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    }).format(now);
  return text.clocks(timezone, time(timezone), time(own));
}
