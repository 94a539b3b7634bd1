import type { ReactNode } from 'react';
import styles from './filters.module.css';

/** The fields that narrow a list, in a row. */
export const Filters = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <search className={styles.filters}>{children}</search>
);
