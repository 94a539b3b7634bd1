import type { PaymentSeen } from './seen.ts';

/** The payment provider's data on the price of a pack, a plan or a unit of storage. */
export interface Price {
  readonly id: string;
  /** For one, in the smallest unit of the currency; it may have a fraction. */
  readonly unitAmount: number;
  readonly currency: string;
  /** The credits that one gives; null if it gives none. */
  readonly credits: number | null;
}

/** A page of the provider where a person pays. */
export interface CheckoutPage {
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export interface CheckoutOrder {
  readonly customerId: string;
  readonly organisationId: string;
  readonly priceId: string;
  readonly quantity: number;
  readonly returnUrl: string;
  /** The purchase of a pack; null for a subscription. */
  readonly purchaseId: string | null;
}

/** The purchase that a card is charged for while nobody is there. */
export interface CardOrder {
  readonly customerId: string;
  readonly organisationId: string;
  readonly purchaseId: string;
  readonly paymentMethodId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
}

/** A payment as the provider has it now. */
export interface ReadPayment {
  readonly intentId: string;
  /** The purchase that it pays; null if it is not for a pack. */
  readonly purchaseId: string | null;
  /** Why it is not paid unless a person does something; null if it is paid, will never be, or the bank is deciding. */
  readonly stalled: string | null;
  readonly seen: PaymentSeen;
}

export type CardCharge = ReadPayment | { readonly declined: string };

export interface ReadSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly priceIds: readonly string[];
  readonly status: string;
  readonly currentPeriodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
}

export interface Invoice {
  readonly id: string;
  readonly number: string | null;
  readonly status: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: Date;
  readonly url: string | null;
  readonly pdfUrl: string | null;
}

/** The other lines of an invoice beside the plan. */
export interface OverageCharge {
  readonly customerId: string;
  readonly organisationId: string;
  /** As in 2026-03. */
  readonly month: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** Whether it goes with the next invoice of a subscription; otherwise it gets an invoice of its own. */
  readonly withSubscription: boolean;
}

/**
 * Takes money. Every call has a time-out and few tries. A call with a key has the effect of one, however often it is
 * made with that key.
 *
 * @throws ProviderError
 */
export interface PaymentProvider {
  readPrice(priceId: string): Promise<Price | null>;
  createCustomer(
    values: { readonly organisationId: string; readonly name: string },
    key: string,
  ): Promise<string>;
  openCheckout(order: CheckoutOrder, key: string): Promise<CheckoutPage>;
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** @param after the id of the last invoice of the page before */
  listInvoices(
    customerId: string,
    count: number,
    after: string | null,
  ): Promise<{ readonly invoices: readonly Invoice[]; readonly more: boolean }>;
  /** The card that may be charged while nobody is there; null if there is none. */
  findCard(customerId: string): Promise<string | null>;
  chargeCard(order: CardOrder, key: string): Promise<CardCharge>;
  /** null if the provider does not show it. */
  readPayment(intentId: string): Promise<ReadPayment | null>;
  /** The payment that was made for a purchase since a time; null if there is none. */
  findPayment(customerId: string, purchaseId: string, since: Date): Promise<ReadPayment | null>;
  /** The payments since a time, oldest last. @param after the id of the last payment of the page before */
  listPayments(since: Date, count: number, after: string | null): Promise<readonly ReadPayment[]>;
  readSubscription(id: string): Promise<ReadSubscription | null>;
  cancelSubscription(id: string): Promise<void>;
  /** @returns the id of the item */
  chargeOverage(charge: OverageCharge, key: string): Promise<string>;
}

/**
 * Why the provider did not do it. It says nothing that the provider answered: that may contain a card or an address.
 */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** Whether a repetition may succeed. */
  readonly passing: boolean;

  constructor(message: string, passing: boolean) {
    super(message);
    this.passing = passing;
  }
}
