import type { ReactNode } from 'react';
import { useItem } from '../api/item.ts';
import { loadWaiting } from '../screens/approvals/waiting.ts';
import { useFormat } from '../text/format.ts';
import { texts, useText } from '../text/texts.ts';
import styles from './navigation.module.css';

const badgeTexts = texts(
  { waiting: (count: string) => `, ${count} waiting` },
  { waiting: (count: string) => `, ${count} wartend` },
);

const REFRESH_MS = 60_000;

/** How many requests of agents wait for a person. It is not read while the page is hidden. */
export function WaitingApprovals(): ReactNode {
  const text = useText(badgeTexts);
  const format = useFormat();
  const { data } = useItem({
    key: ['approvals', 'waiting'],
    load: (presswork, options) => loadWaiting(presswork, undefined, options),
    refreshMs: REFRESH_MS,
  });
  if (data === undefined || data.items.length === 0) return null;
  const count = `${format.number(data.items.length)}${data.next_cursor === null ? '' : '+'}`;
  return (
    <>
      <span className={styles.badge} aria-hidden="true">
        {count}
      </span>
      <span className={styles.unseen}>{text.waiting(count)}</span>
    </>
  );
}
