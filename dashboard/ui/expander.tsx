import type { ReactNode } from 'react';
import styles from './expander.module.css';

export interface ExpanderProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** The name of a row that opens its object. */
export const Expander = ({ isOpen, onToggle, children }: ExpanderProps): ReactNode => (
  <button type="button" className={styles.expander} aria-expanded={isOpen} onClick={onToggle}>
    {children}
  </button>
);
