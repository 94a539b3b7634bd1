import type { Payments } from '../adapters/payments/create-payments.ts';
import { readAccount } from '../domain/billing/account.ts';
import { handlePayment } from '../domain/billing/handle-event.ts';
import { findPayment, fixTerms } from '../domain/billing/payment.ts';
import type { Payment } from '../domain/billing/payment.ts';
import type { CardCharge } from '../domain/billing/provider.ts';
import { nothingSeen, withTold } from '../domain/billing/seen.ts';
import { settle } from '../domain/billing/settle.ts';
import { creditsMoved, topUpEnded } from '../observability/metrics/billing.ts';
import { HEARTBEAT_MS } from './billing-event.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

export type TopUpOutcome = 'paid' | 'failed' | 'pending' | 'gone';

/** Stripe may forget a key after a day. A purchase that is older is looked for before its card is charged. */
const KEY_LIVES_MS = 20 * 60 * 60_000;

/**
 * The side effects of an automatic purchase. Each is safe to run twice: the card is charged under a key that is derived
 * from the purchase, by terms that were stored before.
 */
export function createTopUpActivities(ports: Pick<Ports, 'db' | 'clock' | 'log' | 'payments'>) {
  const { db, clock, log } = ports;

  /** Fixes the purchase, and its card. @returns why it cannot be bought, or the purchase */
  async function withTerms(
    { provider, catalogue }: Payments,
    payment: Payment,
    customerId: string,
  ): Promise<Payment | string> {
    if (payment.credits !== null) return payment;
    const priceId = catalogue.packs.get(payment.pack);
    const price = priceId === undefined ? null : await provider.readPrice(priceId);
    if (price === null || price.credits === null) return 'pack_not_sold';
    const paymentMethodId = await provider.findCard(customerId);
    if (paymentMethodId === null) return 'no_card';
    const { credits, currency } = price;
    const terms = {
      credits: credits * payment.quantity,
      amount: Math.round(price.unitAmount * payment.quantity),
      currency,
      paymentMethodId,
    };
    return (await fixTerms(db, payment.id, terms)) ?? 'gone';
  }

  async function charge({ provider }: Payments, payment: Payment, customerId: string): Promise<CardCharge> {
    // Charging again under its key would answer as it did at first, and not as it is now.
    const known = payment.intent_id === null ? null : await provider.readPayment(payment.intent_id);
    if (known !== null) return known;
    if (clock.now().getTime() - payment.created_at.getTime() > KEY_LIVES_MS) {
      const found = await provider.findPayment(customerId, payment.id, payment.created_at);
      if (found !== null) return found;
    }
    return provider.chargeCard(
      {
        customerId,
        organisationId: payment.organisation_id,
        purchaseId: payment.id,
        paymentMethodId: payment.payment_method_id ?? '',
        amount: payment.amount ?? 0,
        currency: payment.currency ?? '',
        description: `${payment.credits} credits (${payment.pack})`,
      },
      `top-up/${payment.id}`,
    );
  }

  /** Stores that no money came, unless some came meanwhile. */
  async function fail(paymentId: string, reason: string): Promise<void> {
    for (;;) {
      const payment = await findPayment(db, paymentId);
      if (payment === null || payment.status !== 'open') return;
      const seen = withTold(payment.seen, { ...nothingSeen, failure: reason });
      if ((await db.transaction((tx) => settle(tx, payment, null, seen, clock.now()))) !== null) return;
    }
  }

  async function buy(payments: Payments, open: Payment): Promise<void> {
    const { customer_id: customerId } = await readAccount(db, open.organisation_id);
    if (customerId === null) return fail(open.id, 'no_customer');
    const payment = await withTerms(payments, open, customerId);
    if (typeof payment === 'string') return fail(open.id, payment);
    const charged = await charge(payments, payment, customerId);
    if ('declined' in charged) return fail(open.id, charged.declined);
    const names = { purchaseId: open.id, sessionId: null, intentId: charged.intentId };
    const movements = await handlePayment({ db, ...payments }, { ...names, seen: nothingSeen }, clock.now());
    for (const movement of movements ?? []) creditsMoved(movement);
    // Nobody is there who could confirm it or give another card.
    if (charged.stalled !== null) await fail(open.id, charged.stalled);
  }

  async function chargeOnce(paymentId: string): Promise<TopUpOutcome> {
    const payment = await findPayment(db, paymentId);
    if (payment === null) return 'gone';
    if (payment.status !== 'open') return payment.status;
    if (ports.payments === null) await fail(paymentId, 'no_provider');
    else await buy(ports.payments, payment);
    const after = await findPayment(db, paymentId);
    if (after === null) return 'gone';
    if (after.status === 'open') return 'pending';
    topUpEnded(after.status);
    if (after.status === 'failed')
      log.warn(
        { payment_id: paymentId, organisation_id: after.organisation_id },
        'an automatic purchase failed',
      );
    return after.status;
  }

  return {
    /** Charges the saved card, or looks how the charge went. */
    chargeTopUp(paymentId: string): Promise<TopUpOutcome> {
      return withHeartbeat(() => chargeOnce(paymentId), HEARTBEAT_MS);
    },
  };
}

export type TopUpActivities = ReturnType<typeof createTopUpActivities>;
