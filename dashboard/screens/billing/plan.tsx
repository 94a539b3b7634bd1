import type { ReactNode } from 'react';
import type { Billing } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { useOffers } from './offers.ts';
import styles from './billing.module.css';
import { screenTexts } from './text.ts';
import { useMoney } from './use-money.ts';
import { useVisit } from './use-visit.ts';

/** The plan, its subscription, and the ways to change them. */
export function Plan({ billing: { plan, subscription } }: { readonly billing: Billing }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const money = useMoney();
  const visit = useVisit();
  const { data: offers } = useOffers();
  const day = subscription === null ? '' : format.date(subscription.current_period_end);
  return (
    <section className={styles.card}>
      <h2>
        {text.plan}: <span dir="auto">{plan.name}</span>
      </h2>
      {subscription === null && <p className={styles.soft}>{text.noSubscription}</p>}
      {subscription !== null && (
        <p>{subscription.cancel_at_period_end ? text.ends(day) : text.renews(day)}</p>
      )}
      {(subscription?.status === 'past_due' || subscription?.status === 'unpaid') && (
        <p role="alert" className={styles.warning}>
          {text.pastDue}
        </p>
      )}
      <div className={styles.buttons}>
        {subscription === null &&
          offers?.plans
            .filter(({ name }) => name !== plan.key)
            .map(({ name, amount, currency }) => (
              <Button key={name} loading={visit.isPending} onClick={() => visit.mutate({ plan: name })}>
                {text.subscribe(name, money(amount, currency))}
              </Button>
            ))}
        <Button variant="default" loading={visit.isPending} onClick={() => visit.mutate({ to: 'portal' })}>
          {text.portal}
        </Button>
      </div>
    </section>
  );
}
