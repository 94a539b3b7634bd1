import type { ReactNode } from 'react';
import { useItem } from '../api/item.ts';
import type { ItemOptions } from '../api/item.ts';
import { useFormat } from '../text/format.ts';
import styles from './navigation.module.css';

const REFRESH_MS = 60_000;

interface Counted {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

interface NavigationCountProps {
  readonly of: Pick<ItemOptions<Counted>, 'key' | 'load'>;
  /** What is read out. */
  readonly say: (count: string) => string;
}

/** How many of something wait; nothing if none do. They are not read while the page is hidden. */
export function NavigationCount({ of, say }: NavigationCountProps): ReactNode {
  const format = useFormat();
  const { data } = useItem({ ...of, refreshMs: REFRESH_MS });
  if (data === undefined || data.items.length === 0) return null;
  const count = `${format.number(data.items.length)}${data.next_cursor === null ? '' : '+'}`;
  return (
    <>
      <span className={styles.badge} aria-hidden="true">
        {count}
      </span>
      <span className={styles.unseen}>{say(count)}</span>
    </>
  );
}
