import type { ReactNode } from 'react';
import { useLocale } from '../../text/format.ts';
import styles from './calendar.module.css';
import { noon } from './days.ts';
import type { Day } from './days.ts';
import { dayOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { EntryButton, keyOf } from './entry.tsx';

export interface AgendaProps {
  readonly entries: readonly Entry[];
  readonly today: Day;
  readonly onOpen: (entry: Entry) => void;
}

/** The days on which something is, one below the other: for narrow screens, and for those who read. */
export function Agenda({ entries, today, onOpen }: AgendaProps): ReactNode {
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return (
    <div className={styles.agenda}>
      {[...new Set(entries.map(dayOf))].map((day) => (
        <section key={day} data-today={day === today || undefined}>
          <h3>{format.format(noon(day))}</h3>
          <ul>
            {entries
              .filter((entry) => dayOf(entry) === day)
              .map((entry) => (
                <li key={keyOf(entry)}>
                  <EntryButton entry={entry} onOpen={onOpen} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
