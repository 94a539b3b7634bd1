import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useFormat } from '../../text/format.ts';

const TICK_MS = 5_000;

/** The time, every few seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** When a request expires, and how long that still is. */
export function Expiry({ time }: { readonly time: string }): ReactNode {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={time} title={format.dateTime(time)}>
      {format.ago(time, now)}
    </time>
  );
}
