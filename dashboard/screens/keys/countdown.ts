import { useEffect, useState } from 'react';
import { currentLanguage } from '../../text/language.ts';

/** The time now, each second while something is counted down. */
export function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The two largest units of the rest, such as “23 hours, 59 minutes”. */
export function timeLeft(milliseconds: number): string {
  const language = currentLanguage();
  let seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  const first = units.findIndex(([, length]) => seconds >= length);
  const parts = units.slice(first === -1 ? 3 : first, first === -1 ? 4 : first + 2).map(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  });
  return parts.join(', ');
}
