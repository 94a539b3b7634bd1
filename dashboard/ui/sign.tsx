import type { ReactNode } from 'react';
import styles from './sign.module.css';

export type Tone = 'quiet' | 'busy' | 'good' | 'warn' | 'bad';

/** A status: a sign of its own for each tone beside the word, so that colour is never the only sign. */
export function Sign({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={styles.sign} data-tone={tone}>
      {children}
    </span>
  );
}
