import type { ReactNode } from 'react';
import { useItem } from '../api/item.ts';
import { useFormat } from '../text/format.ts';
import { texts, useText } from '../text/texts.ts';
import styles from './navigation.module.css';

const badgeTexts = texts(
  { unread: (count: string) => `, ${count} unread` },
  { unread: (count: string) => `, ${count} ungelesen` },
);

const REFRESH_MS = 60_000;
const MOST = 99;

/** How many notifications the person has not read. It is not read while the page is hidden. */
export function UnreadNotifications(): ReactNode {
  const text = useText(badgeTexts);
  const format = useFormat();
  const { data } = useItem({
    key: ['notifications', 'unread'],
    load: (presswork, options) => presswork.notifications.list({ unread: 'true', limit: MOST }, options),
    refreshMs: REFRESH_MS,
  });
  if (data === undefined || data.items.length === 0) return null;
  const count = `${format.number(data.items.length)}${data.next_cursor === null ? '' : '+'}`;
  return (
    <>
      <span className={styles.badge} aria-hidden="true">
        {count}
      </span>
      <span className={styles.unseen}>{text.unread(count)}</span>
    </>
  );
}
