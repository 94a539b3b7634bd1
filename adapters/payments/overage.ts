import type Stripe from 'stripe';
import type { OverageCharge } from '../../domain/billing/provider.ts';
import { ORGANISATION } from './payments.ts';

const MONTH = 'presswork_month';
const PAGE = 100;

/**
 * Adds an item for the storage of a month to the customer's next invoice, or invoices it. Stripe forgets keys after a
 * day, so what exists already is found by its metadata.
 */
export async function chargeOverage(stripe: Stripe, charge: OverageCharge, key: string): Promise<string> {
  const metadata = { [ORGANISATION]: charge.organisationId, [MONTH]: charge.month };
  const item =
    (await findItem(stripe, charge)) ??
    (await stripe.invoiceItems.create(
      {
        customer: charge.customerId,
        amount: charge.amount,
        currency: charge.currency,
        description: charge.description,
        metadata,
      },
      { idempotencyKey: key },
    ));
  if (!charge.withSubscription && item.invoice === null)
    await stripe.invoices.create(
      {
        customer: charge.customerId,
        auto_advance: true,
        pending_invoice_items_behavior: 'include',
        metadata,
      },
      { idempotencyKey: `${key}/invoice` },
    );
  return item.id;
}

async function findItem(
  stripe: Stripe,
  { customerId, organisationId, month }: OverageCharge,
): Promise<Stripe.InvoiceItem | null> {
  for await (const item of stripe.invoiceItems.list({ customer: customerId, limit: PAGE })) {
    if (item.metadata?.[MONTH] === month && item.metadata[ORGANISATION] === organisationId) return item;
  }
  return null;
}
