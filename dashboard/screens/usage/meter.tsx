import type { ReactNode } from 'react';
import styles from './screen.module.css';

export interface MeterProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** The figures in words; also what a screen reader says. */
  readonly words: string;
  /** Said if more is used than the limit. */
  readonly over?: string;
}

/** How much of a limit is used: in figures, and as a bar. */
export function Meter({ label, used, limit, words, over }: MeterProps): ReactNode {
  const share = limit === 0 ? (used > 0 ? 1 : 0) : used / limit;
  return (
    <div className={styles.meter}>
      <div className={styles.words}>
        <span>{label}</span>
        <strong>{words}</strong>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, used)}
        aria-valuenow={used}
        aria-valuetext={words}
        className={styles.bar}
      >
        <div
          data-level={share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'normal'}
          style={{ width: `${100 * Math.min(1, share)}%` }}
        />
      </div>
      {share > 1 && over !== undefined && <p className={styles.soft}>{over}</p>}
    </div>
  );
}
