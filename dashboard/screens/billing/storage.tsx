import type { ReactNode } from 'react';
import type { Billing } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import styles from './billing.module.css';
import { monthEnd } from './month-end.ts';
import { screenTexts } from './text.ts';
import { useMoney } from './use-money.ts';

/** The storage beyond the plan, with its price so far and expected. */
export function Storage({ overage }: { readonly overage: Billing['overage'] }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const money = useMoney();
  const { documents, media_bytes: bytes, amount, currency } = overage;
  return (
    <section className={styles.card}>
      <h2>{text.storage}</h2>
      {documents === 0 && bytes === 0 && amount === 0 ? (
        <p className={styles.soft}>{text.noStorage}</p>
      ) : (
        <>
          <p>{text.storageUsed(format.number(documents), format.bytes(bytes))}</p>
          <p>{text.soFar(money(amount, currency))}</p>
          <p className={styles.soft}>{text.forecast(money(monthEnd(amount, new Date()), currency))}</p>
        </>
      )}
    </section>
  );
}
