import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../api/site.ts';
import { useFormat } from '../text/format.ts';

const MINUTE_MS = 60_000;
let now = Date.now();

/** One timer for every time on the page. */
function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    listener();
  }, MINUTE_MS);
  return () => clearInterval(timer);
}

/** How long ago something was, with the exact time as its title. */
export function RelativeTime({ time }: { readonly time: string }): ReactNode {
  const format = useFormat();
  const current = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={time} title={format.dateTime(time)}>
      {format.ago(time, Math.max(current, Date.now() - MINUTE_MS))}
    </time>
  );
}

/** A time on the clock of the Site, for whatever is published or scheduled. */
export function SiteTime({ time }: { readonly time: string }): ReactNode {
  const { timezone } = useSite();
  const format = useFormat();
  return (
    <time dateTime={time} title={`${format.dateTime(time, timezone)} (${timezone})`}>
      {format.dateTime(time, timezone)}
    </time>
  );
}
