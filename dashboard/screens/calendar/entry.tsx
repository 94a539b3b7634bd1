import type { DragEvent, ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useArticleTitle } from '../../content/article-name.tsx';
import { useLocale } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { UnstyledButton } from '../../ui/controls.ts';
import styles from './calendar.module.css';
import { isMovable, isOverdue } from './entries.ts';
import type { Entry } from './entries.ts';
import { screenTexts } from './text.ts';

/** The data of a drag; another page's drags have other types. */
export const DRAG_TYPE = 'application/x-presswork-entry';

/** Puts the focus on an entry, wherever it stands now. */
export const focusOn = (entry: Entry): void =>
  document.querySelector<HTMLElement>(`[data-entry="${keyOf(entry)}"]`)?.focus();

export const keyOf = ({ kind, articleId }: Entry): string => `${kind}:${articleId}`;

export interface EntryButtonProps {
  readonly entry: Entry;
  readonly onOpen: (entry: Entry) => void;
}

/** An article on a day: opened by Enter or a click, and dragged if it can be moved. */
export function EntryButton({ entry, onOpen }: EntryButtonProps): ReactNode {
  const { rights, timezone } = useSite();
  const locale = useLocale();
  const text = useText(screenTexts);
  const overdue = isOverdue(entry);
  const movable = isMovable(entry) && rights.publishes;
  const isReview = entry.kind === 'review';
  const title = useArticleTitle(entry.articleId, isReview) ?? entry.title;
  const drag = (event: DragEvent): void => {
    event.dataTransfer.setData(DRAG_TYPE, keyOf(entry));
    event.dataTransfer.effectAllowed = 'move';
  };
  return (
    <UnstyledButton
      className={styles.entry}
      data-entry={keyOf(entry)}
      data-kind={entry.kind}
      data-overdue={overdue || undefined}
      draggable={movable}
      onDragStart={movable ? drag : undefined}
      onClick={() => onOpen(entry)}
    >
      <span className={styles.when}>
        {!isReview && <time dateTime={entry.time}>{timeOf(entry.time, locale, timezone)}</time>}
        {overdue ? (
          <strong>{text.overdue}</strong>
        ) : (
          <span className={styles.kind}>{text.kinds[entry.kind]}</span>
        )}
      </span>
      <span className={styles.name} dir="auto">
        {title ?? text.untitled}
      </span>
    </UnstyledButton>
  );
}

const timeOf = (time: string, locale: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }).format(new Date(time));
