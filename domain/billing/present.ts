import { plans } from '../kernel/plans.ts';
import type { Plan } from '../kernel/plans.ts';
import { costOf } from './overage.ts';
import type { StoragePrices } from './overage.ts';
import type { Invoice } from './provider.ts';
import type { BillingState } from './read.ts';
import type { TopUpSettings } from './top-up.ts';

/** The currency that is shown while nothing has a price. */
export const CURRENCY = 'usd';

/** Billing as the API shows it (docs/spec/rulings.md, 21). */
export function presentBilling(
  { account, subscription, balance, overage }: BillingState,
  plan: Plan,
  provider: 'stripe' | null,
  prices: StoragePrices | null,
  now: Date,
) {
  return {
    provider,
    plan: { key: plan, ...plans[plan] },
    subscription: subscription && {
      status: subscription.status,
      current_period_end: subscription.current_period_end.toISOString(),
      cancel_at_period_end: subscription.cancel_at_period_end,
    },
    credits: { balance },
    auto_top_up: presentTopUp({
      enabled: account.top_up_enabled,
      below: account.top_up_below,
      pack: account.top_up_pack,
      monthly_limit: account.top_up_monthly_limit,
    }),
    overage: {
      documents: overage.documents,
      media_bytes: overage.mediaBytes,
      amount: prices === null ? 0 : costOf(overage, prices, now),
      currency: prices?.currency ?? CURRENCY,
    },
  };
}

export const presentTopUp = ({ enabled, below, pack, monthly_limit }: TopUpSettings) => ({
  enabled,
  below,
  pack,
  monthly_limit,
});

/** An invoice as the API shows it. */
export const presentInvoice = (invoice: Invoice) => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  amount: invoice.amount,
  currency: invoice.currency,
  created_at: invoice.createdAt.toISOString(),
  url: invoice.url,
  pdf_url: invoice.pdfUrl,
});
