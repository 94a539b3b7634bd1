import type { ReactNode } from 'react';
import { useLocale } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ActionIcon, Button, UnstyledButton } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './calendar.module.css';
import { daysOf, noon, stepped } from './days.ts';
import type { Day } from './days.ts';
import { views } from './search.ts';
import type { CalendarSearch, View } from './search.ts';
import { screenTexts } from './text.ts';

export interface ToolbarProps {
  readonly view: View;
  readonly on: Day;
  readonly today: Day;
  readonly onShow: (search: CalendarSearch) => void;
}

/** The shown time: a month or a week, and which. */
export function Toolbar({ view, on, today, onShow }: ToolbarProps): ReactNode {
  const text = useText(screenTexts);
  const period = usePeriod(view, on);
  const go = (day: Day): void => onShow({ view, ...(day !== today && { on: day }) });
  return (
    <div className={styles.toolbar}>
      <h2 aria-live="polite">{period}</h2>
      <div className={styles.steps}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={text.before[view]}
          onClick={() => go(stepped(view, on, -1))}
        >
          <span className={styles.back}>
            <Icon name="down" />
          </span>
        </ActionIcon>
        <Button variant="default" onClick={() => go(today)}>
          {text.today}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={text.after[view]}
          onClick={() => go(stepped(view, on, 1))}
        >
          <span className={styles.onward}>
            <Icon name="down" />
          </span>
        </ActionIcon>
      </div>
      <div className={styles.views} role="group" aria-label={text.view}>
        {views.map((each) => (
          <UnstyledButton
            key={each}
            aria-pressed={each === view}
            onClick={() => onShow({ view: each, ...(on !== today && { on }) })}
          >
            {text.views[each]}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}

/** “March 2026”, or the first and the last day of a week. */
export function usePeriod(view: View, on: Day): string {
  const locale = useLocale();
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  if (view !== 'week') return format({ month: 'long', year: 'numeric' }).format(noon(on));
  const days = daysOf('week', on);
  const [first = on, last = on] = [days[0], days[6]];
  return format({ dateStyle: 'long' }).formatRange(noon(first), noon(last));
}
