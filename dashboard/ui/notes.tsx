import type { ReactNode } from 'react';
import { useFailure } from '../api/failure.ts';
import { texts, useText } from '../text/texts.ts';
import { Icon } from './icons.tsx';
import styles from './notes.module.css';

const noteTexts = texts(
  { again: 'Try again', loading: 'Loading …' },
  { again: 'Erneut versuchen', loading: 'Wird geladen …' },
);

export interface EmptyStateProps {
  /** What is not there: “No articles yet”. */
  readonly title: string;
  /** What it would be good for, or what to do. */
  readonly children?: ReactNode;
  /** The button that makes the first one. */
  readonly action?: ReactNode;
}

/** Stands where a list or a figure would stand. */
export function EmptyState({ title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      {children !== undefined && <p className={styles.emptyText}>{children}</p>}
      {action}
    </div>
  );
}

/** An error that keeps something from being shown; `retry` reads it again. */
export function ErrorNote({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
}): ReactNode {
  const failure = useFailure();
  const text = useText(noteTexts);
  return (
    <div className={styles.error} role="alert">
      <Icon name="warning" />
      <p dir="auto">{failure(error)}</p>
      {retry !== undefined && (
        <button type="button" className={styles.again} onClick={retry}>
          {text.again}
        </button>
      )}
    </div>
  );
}

/** Says that something is being read, after a moment, so that quick answers do not flicker. */
export function Loading(): ReactNode {
  const text = useText(noteTexts);
  return (
    <p className={styles.loading} role="status">
      {text.loading}
    </p>
  );
}
