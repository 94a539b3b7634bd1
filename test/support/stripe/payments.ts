import { createPayments } from '../../../adapters/payments/create-payments.ts';
import type { Payments } from '../../../adapters/payments/create-payments.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { startStripe, WEBHOOK_SECRET } from './server.ts';
import type { StripeServer } from './server.ts';

export const prices = {
  starter: 'price_starter',
  big: 'price_big',
  pro: 'price_pro',
  overage_documents: 'price_documents',
  overage_media: 'price_media',
};

export const SECRET_KEY = 'sk_test_of_the_product_0123456789';

/** A Stripe with two packs (100 credits for 10.00, 1,000 for 80.00), a plan and storage. */
export async function startTestStripe(): Promise<StripeServer & { readonly payments: Payments }> {
  const stripe = await startStripe();
  stripe.account.addPrice(prices.starter, 1_000, { credits: '100' });
  stripe.account.addPrice(prices.big, 8_000, { credits: '1000' });
  stripe.account.addPrice(prices.pro, 2_900);
  stripe.account.addPrice(prices.overage_documents, 50);
  stripe.account.addPrice(prices.overage_media, 10);
  return Object.assign(stripe, { payments: await paymentsOf(stripe) });
}

/** As a process has them that was started with these settings. */
export async function paymentsOf({ url }: Pick<StripeServer, 'url'>): Promise<Payments> {
  const payments = await createPayments(
    readSettings({
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: url,
      STRIPE_PRICES: JSON.stringify(prices),
    }),
  );
  if (payments === null) throw new Error('Stripe is set up');
  return payments;
}
