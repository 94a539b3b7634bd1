import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './section.module.css';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** Beside the title, such as a state. */
  readonly sign?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the account with its heading. */
export function Section({ title, about, sign, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {sign}
      </div>
      {about !== undefined && <p className={styles.about}>{about}</p>}
      {children}
    </section>
  );
}
