import type { ReactNode } from 'react';
import type { Delivery } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Sign } from '../../ui/sign.tsx';
import { logTexts } from './log-text.ts';
import { useResult } from './result.tsx';
import styles from './timeline.module.css';

export interface TimelineProps {
  /** Newest first. */
  readonly attempts: readonly Delivery[];
  readonly isOn: boolean;
}

/** The attempts of a delivery, and the next one. */
export function Timeline({ attempts, isOn }: TimelineProps): ReactNode {
  const text = useText(logTexts);
  const format = useFormat();
  const result = useResult();
  const [latest] = attempts;
  return (
    <section>
      <h3 className={styles.title}>{text.one.timeline}</h3>
      <ol className={styles.line}>
        {latest?.status === 'failed' && (
          <li className={styles.next}>
            {isOn && latest.next_attempt_at !== null ? (
              <>
                {text.next}:{' '}
                <time dateTime={latest.next_attempt_at}>{format.dateTime(latest.next_attempt_at)}</time>
              </>
            ) : (
              text.last
            )}
          </li>
        )}
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Sign tone={attempt.status === 'succeeded' ? 'good' : 'bad'}>
              {attempt.status === 'succeeded' ? text.succeeded : text.failed}
            </Sign>
            <p>{result(attempt)}</p>
            <p className={styles.when}>
              {text.attempt(attempt.attempt)}
              {attempt.redelivery && `, ${text.redelivery}`} ·{' '}
              <time dateTime={attempt.attempted_at}>{format.dateTime(attempt.attempted_at)}</time> ·{' '}
              {text.one.took(format.number(attempt.duration_ms))}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
