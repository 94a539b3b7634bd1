import type { ReactNode } from 'react';
import styles from './tick.module.css';

export interface TickProps {
  readonly label: string;
  readonly checked: boolean;
  /** Some of what it stands for is selected. */
  readonly indeterminate?: boolean;
  readonly onChange: () => void;
}

/** The checkbox of a row. */
export const Tick = ({ label, checked, indeterminate = false, onChange }: TickProps): ReactNode => (
  <input
    ref={(box) => {
      if (box !== null) box.indeterminate = indeterminate;
    }}
    type="checkbox"
    className={styles.tick}
    aria-label={label}
    checked={checked}
    onChange={onChange}
  />
);
