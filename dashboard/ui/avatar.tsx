import type { ReactNode } from 'react';
import styles from './avatar.module.css';

/** The first letter of a name or an address, as decoration beside it. */
export function Avatar({ name, size = 28 }: { readonly name: string; readonly size?: number }): ReactNode {
  const [first = '?'] = name.trim();
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
      aria-hidden="true"
    >
      {first.toUpperCase()}
    </span>
  );
}
