import type { Payments } from '../../../adapters/payments/create-payments.ts';
import { Catalogue } from '../../../domain/billing/catalogue.ts';
import type { PaymentProvider } from '../../../domain/billing/provider.ts';
import { prices } from './payments.ts';

const unused = (): never => {
  throw new Error('Start a Stripe for this (startTestStripe)');
};

const provider: PaymentProvider = {
  readPrice: async (id) => ({ id, unitAmount: 1_000, currency: 'usd', credits: 100 }),
  createCustomer: async ({ organisationId }) => `cus_${organisationId}`,
  openCheckout: async (_, key) => ({
    sessionId: `cs_${key}`,
    url: 'https://checkout.stripe.test/pay',
    expiresAt: new Date(Date.now() + 86_400_000),
  }),
  openPortal: async () => 'https://billing.stripe.test/p/session/test_1',
  listInvoices: async () => ({ invoices: [], more: false }),
  findCard: async () => 'pm_1',
  chargeCard: unused,
  readPayment: unused,
  findPayment: unused,
  listPayments: unused,
  readSubscription: unused,
  cancelSubscription: unused,
  chargeOverage: unused,
};

/** A provider for tests of what all operations have in common: it keeps nothing, and needs no server. */
export const inProcessPayments: Payments = {
  provider,
  catalogue: new Catalogue(prices),
  readEvent: () => null,
};
