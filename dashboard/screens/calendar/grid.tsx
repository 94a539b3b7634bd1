import { useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { useLocale } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { UnstyledButton } from '../../ui/controls.ts';
import styles from './calendar.module.css';
import { noon } from './days.ts';
import type { Day } from './days.ts';
import { dayOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { DRAG_TYPE, EntryButton, keyOf } from './entry.tsx';
import { screenTexts } from './text.ts';

export interface GridProps {
  readonly label: string;
  readonly days: readonly Day[];
  readonly entries: readonly Entry[];
  readonly today: Day;
  /** `2026-03`, whose days are not dimmed; null in a week. */
  readonly month: string | null;
  /** How many entries of a day are shown; the others are behind a button. */
  readonly most: number;
  readonly onOpen: (entry: Entry) => void;
  readonly onMove: (entry: Entry, day: Day) => void;
  readonly onShowDay: (day: Day) => void;
}

/** Days in rows of a week. */
export function Grid(props: GridProps): ReactNode {
  const { label, days, most } = props;
  const locale = useLocale();
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7));
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return (
    <table className={styles.grid} aria-label={label} data-tall={most > 10 || undefined}>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day} scope="col">
              {weekday.format(noon(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell key={day} {...props} day={day} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell(props: GridProps & { readonly day: Day }): ReactNode {
  const { day, entries, today, month, most, onOpen, onMove, onShowDay } = props;
  const locale = useLocale();
  const text = useText(screenTexts);
  const [isOver, setOver] = useState(false);
  const own = entries.filter((entry) => dayOf(entry) === day);
  const shown = own.length > most ? own.slice(0, most - 1) : own;
  const name = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(noon(day));
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const key = event.dataTransfer.getData(DRAG_TYPE);
    const dropped = entries.find((entry) => keyOf(entry) === key);
    if (dropped !== undefined && dayOf(dropped) !== day) onMove(dropped, day);
  };
  return (
    <td
      data-day={day}
      data-today={day === today || undefined}
      data-other={(month !== null && !day.startsWith(month)) || undefined}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <time
        className={styles.day}
        dateTime={day}
        aria-label={name}
        aria-current={day === today ? 'date' : undefined}
      >
        {Number(day.slice(8))}
      </time>
      {own.length > 0 && (
        <ul>
          {shown.map((entry) => (
            <li key={keyOf(entry)}>
              <EntryButton entry={entry} onOpen={onOpen} />
            </li>
          ))}
          {shown.length < own.length && (
            <li>
              <UnstyledButton
                className={styles.more}
                aria-label={text.moreOn(own.length - shown.length, name)}
                onClick={() => onShowDay(day)}
              >
                {text.more(own.length - shown.length)}
              </UnstyledButton>
            </li>
          )}
        </ul>
      )}
    </td>
  );
}
