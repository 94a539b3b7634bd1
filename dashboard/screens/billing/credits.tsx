import type { ReactNode } from 'react';
import type { Billing } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import { useOffers } from './offers.ts';
import styles from './billing.module.css';
import { screenTexts } from './text.ts';
import { useMoney } from './use-money.ts';
import { useVisit } from './use-visit.ts';

/** The balance, and the packs that add to it. */
export function Credits({ billing: { credits } }: { readonly billing: Billing }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const money = useMoney();
  const visit = useVisit();
  const { data: offers, error, refetch } = useOffers();
  return (
    <section className={styles.card}>
      <h2>{text.credits}</h2>
      <p className={styles.big}>{text.balance(format.number(credits.balance))}</p>
      {credits.balance < 0 && (
        <p role="alert" className={styles.warning}>
          {text.debt}
        </p>
      )}
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {offers !== undefined && offers.packs.length > 0 && (
        <>
          <h3>{text.packs}</h3>
          <ul className={styles.packs}>
            {offers.packs.map(({ name, amount, currency, credits: given }) => (
              <li key={name}>
                <span>{text.pack(format.number(given ?? 0), money(amount, currency))}</span>
                <Button
                  size="xs"
                  aria-label={text.buy(name)}
                  loading={visit.isPending}
                  onClick={() => visit.mutate({ pack: name })}
                >
                  {text.buy(name)}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
