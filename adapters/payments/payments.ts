import type Stripe from 'stripe';
import type { ReadPayment } from '../../domain/billing/provider.ts';
import { isHidden } from './errors.ts';

export const PURCHASE = 'presswork_purchase';
export const ORGANISATION = 'presswork_organisation';

/** It goes on only if a person does something. */
const waiting: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_action',
  'requires_confirmation',
]);

export async function readIntent(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ReadPayment> {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  // A payment that succeeded has a charge; an unpaid one has nothing to refund or to dispute.
  const shown = charge !== null || intent.status !== 'succeeded';
  return {
    intentId: intent.id,
    purchaseId: intent.metadata?.[PURCHASE] ?? null,
    stalled: waiting.has(intent.status) ? reasonOf(intent) : null,
    seen: {
      paid: intent.status === 'succeeded',
      failure: intent.status === 'canceled' ? (intent.cancellation_reason ?? 'canceled') : null,
      amount: intent.amount_received || intent.amount || null,
      refunded: shown ? (charge?.amount_refunded ?? 0) : null,
      disputes: shown ? await disputesOf(stripe, charge) : null,
    },
  };
}

function reasonOf({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  if (status === 'requires_action') return 'authentication_required';
  return error?.decline_code ?? error?.code ?? 'declined';
}

/** A charge is disputed at most a few times. */
const DISPUTES = 100;

async function disputesOf(
  stripe: Stripe,
  charge: Stripe.Charge | null,
): Promise<ReadPayment['seen']['disputes']> {
  if (!charge?.disputed) return [];
  try {
    const { data } = await stripe.disputes.list({ charge: charge.id, limit: DISPUTES });
    return data.map(({ id, amount, status }) => ({ id, amount, status }));
  } catch (error) {
    if (isHidden(error)) return null;
    throw error;
  }
}
