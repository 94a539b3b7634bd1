import { Catalogue } from '../../domain/billing/catalogue.ts';
import type { SignedEvent } from '../../domain/billing/event.ts';
import type { PaymentProvider } from '../../domain/billing/provider.ts';
import type { Settings } from '../../runtime/settings.ts';

/** The dependencies of taking money. */
export interface Payments {
  readonly provider: PaymentProvider;
  readonly catalogue: Catalogue;
  /** @returns null if the signature is wrong, or the body is not an event */
  readEvent(body: Buffer, signature: string | undefined, now: Date): SignedEvent | null;
}

/** Stripe, if its settings are there; null otherwise: nothing can be bought then, and Stripe's client is not loaded. */
export async function createPayments(settings: Settings): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const { createStripe, createStripeProvider } = await import('./stripe.ts');
  const { readSignedEvent } = await import('./events.ts');
  return {
    provider: createStripeProvider(createStripe({ secretKey, apiBase: settings.STRIPE_API_BASE })),
    catalogue: new Catalogue(settings.STRIPE_PRICES),
    readEvent: (body, signature, now) => readSignedEvent(body, signature, webhookSecret, now),
  };
}
