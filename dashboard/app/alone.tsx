import type { ReactNode } from 'react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from './failed.tsx';
import { NotFound } from './not-found.tsx';
import styles from './sites.module.css';

/** For an address of a Site that the person does not have, or that does not exist. */
export const NotFoundAlone = (): ReactNode => (
  <main className={styles.main}>
    <NotFound />
  </main>
);

/** For a Site that cannot be opened: there is no navigation around it. */
export const FailedAlone = (props: ErrorComponentProps): ReactNode => (
  <main className={styles.main}>
    <Failed {...props} />
  </main>
);
