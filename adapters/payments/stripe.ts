import { LRUCache } from 'lru-cache';
import Stripe from 'stripe';
import { ProviderError } from '../../domain/billing/provider.ts';
import type { CheckoutOrder, Invoice, PaymentProvider, Price } from '../../domain/billing/provider.ts';
import { isHidden, isMissing, refusalOf, withoutDetails } from './errors.ts';
import { chargeOverage } from './overage.ts';
import { ORGANISATION, PURCHASE, readIntent } from './payments.ts';

export interface StripeAccess {
  readonly secretKey: string;
  /** Instead of Stripe's own, for tests. */
  readonly apiBase?: URL | undefined;
}

/** A call takes at most three times as long, and a little to wait between them. */
const TIMEOUT_MS = 8_000;
const REPETITIONS = 2;

/** Prices hardly change; of one, only its metadata can. */
const PRICE_MS = 10 * 60_000;
const PRICES = 200;

export function createStripe({ secretKey, apiBase }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: REPETITIONS,
    telemetry: false,
    ...(apiBase && {
      protocol: apiBase.protocol === 'http:' ? ('http' as const) : ('https' as const),
      host: apiBase.hostname.replace(/^\[|\]$/g, ''),
      port: apiBase.port || (apiBase.protocol === 'http:' ? '80' : '443'),
    }),
  });
}

export function createStripeProvider(stripe: Stripe): PaymentProvider {
  const prices = new LRUCache<string, Price>({ max: PRICES, ttl: PRICE_MS });
  const provider: PaymentProvider = {
    async readPrice(priceId) {
      const known = prices.get(priceId);
      if (known !== undefined) return known;
      const price = await shown(() => stripe.prices.retrieve(priceId));
      if (price === null) return null;
      const read = presentPrice(price);
      prices.set(priceId, read);
      return read;
    },
    async createCustomer({ organisationId, name }, key) {
      const customer = await stripe.customers.create(
        { name, metadata: { [ORGANISATION]: organisationId } },
        { idempotencyKey: key },
      );
      return customer.id;
    },
    async openCheckout(order, key) {
      const session = await stripe.checkout.sessions.create(checkoutOf(order), { idempotencyKey: key });
      if (!session.url) throw new ProviderError('Stripe gave no address for the checkout', false);
      return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1_000) };
    },
    async openPortal(customerId, returnUrl) {
      const session = await stripe.billingPortal.sessions.create({
        customer: customerId,
        return_url: returnUrl,
      });
      return session.url;
    },
    async listInvoices(customerId, count, after) {
      const { data, has_more: more } = await stripe.invoices.list({
        customer: customerId,
        limit: count,
        ...(after !== null && { starting_after: after }),
      });
      return { invoices: data.map(presentInvoice), more };
    },
    async findCard(customerId) {
      const customer = await shown(() => stripe.customers.retrieve(customerId));
      if (customer === null || customer.deleted) return null;
      const chosen = customer.invoice_settings?.default_payment_method;
      if (chosen) return typeof chosen === 'string' ? chosen : chosen.id;
      const { data } = await stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 1 });
      return data[0]?.id ?? null;
    },
    async chargeCard(order, key) {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: order.amount,
            currency: order.currency,
            customer: order.customerId,
            payment_method: order.paymentMethodId,
            off_session: true,
            confirm: true,
            description: order.description,
            metadata: { [PURCHASE]: order.purchaseId, [ORGANISATION]: order.organisationId },
            expand: ['latest_charge'],
          },
          { idempotencyKey: key },
        );
        return await readIntent(stripe, intent);
      } catch (error) {
        const declined = refusalOf(error);
        if (declined === null) throw error;
        return { declined };
      }
    },
    async readPayment(intentId) {
      const intent = await shown(() =>
        stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }),
      );
      return intent && readIntent(stripe, intent);
    },
    async findPayment(customerId, purchaseId, since) {
      for await (const intent of stripe.paymentIntents.list({
        customer: customerId,
        created: { gte: seconds(since) },
        limit: PAGE,
        expand: ['data.latest_charge'],
      })) {
        if (intent.metadata?.[PURCHASE] === purchaseId) return readIntent(stripe, intent);
      }
      return null;
    },
    async listPayments(since, count, after) {
      const { data } = await stripe.paymentIntents.list({
        created: { gte: seconds(since) },
        limit: count,
        expand: ['data.latest_charge'],
        ...(after !== null && { starting_after: after }),
      });
      return Promise.all(data.map((intent) => readIntent(stripe, intent)));
    },
    async readSubscription(id) {
      const found = await shown(() => stripe.subscriptions.retrieve(id));
      if (found === null) return null;
      const { customer, items, status } = found;
      return {
        id: found.id,
        customerId: typeof customer === 'string' ? customer : customer.id,
        priceIds: items.data.map(({ price }) => price.id),
        status,
        currentPeriodEnd: periodEndOf(found),
        cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
      };
    },
    async cancelSubscription(id) {
      try {
        await stripe.subscriptions.cancel(id);
      } catch (error) {
        // A key that may not cancel leaves a subscription that goes on costing money.
        if (!isMissing(error)) throw error;
      }
    },
    chargeOverage: (charge, key) => chargeOverage(stripe, charge, key),
  };
  return guarded(provider);
}

/** Of its items, or of itself, as older versions of Stripe's API have it. */
function periodEndOf(subscription: Stripe.Subscription & { current_period_end?: number }): Date {
  const end = subscription.items.data[0]?.current_period_end ?? subscription.current_period_end;
  if (end === undefined) throw new ProviderError('Stripe did not show the period of a subscription', false);
  return new Date(end * 1_000);
}

const PAGE = 100;

const seconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** @returns null for a payment that Stripe does not show */
async function shown<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return null;
    throw error;
  }
}

/** In words, for messages. */
const doings: Readonly<Record<keyof PaymentProvider, string>> = {
  readPrice: 'show a price',
  createCustomer: 'create a customer',
  openCheckout: 'open a checkout',
  openPortal: 'open the portal',
  listInvoices: 'list invoices',
  findCard: 'show the cards of a customer',
  chargeCard: 'charge a card',
  readPayment: 'show a payment',
  findPayment: 'list the payments of a customer',
  listPayments: 'list payments',
  readSubscription: 'show a subscription',
  cancelSubscription: 'cancel a subscription',
  chargeOverage: 'invoice storage',
};

/** No error of Stripe leaves it as it is. */
const guarded = (provider: PaymentProvider): PaymentProvider =>
  new Proxy(provider, {
    get(target, name) {
      const call = Reflect.get(target, name) as unknown;
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return (await Reflect.apply(call, target, args)) as unknown;
        } catch (error) {
          throw withoutDetails(error, doings[name as keyof PaymentProvider]);
        }
      };
    },
  });

function checkoutOf(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    [ORGANISATION]: order.organisationId,
    ...(order.purchaseId !== null && { [PURCHASE]: order.purchaseId }),
  };
  return {
    customer: order.customerId,
    client_reference_id: order.organisationId,
    line_items: [{ price: order.priceId, quantity: order.quantity }],
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
    metadata,
    ...(order.purchaseId === null
      ? { mode: 'subscription', subscription_data: { metadata } }
      : // The card is kept for automatic purchases.
        { mode: 'payment', payment_intent_data: { metadata, setup_future_usage: 'off_session' } }),
  };
}

function presentPrice(price: Stripe.Price): Price {
  const credits = price.metadata?.['credits'] ?? '';
  return {
    id: price.id,
    unitAmount: Number(price.unit_amount_decimal ?? price.unit_amount ?? 0),
    currency: price.currency,
    credits: /^[1-9]\d{0,8}$/.test(credits) ? Number(credits) : null,
  };
}

const presentInvoice = (invoice: Stripe.Invoice): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status ?? 'draft',
  amount: invoice.total,
  currency: invoice.currency,
  createdAt: new Date(invoice.created * 1_000),
  url: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
});
