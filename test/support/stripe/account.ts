import { randomBytes } from 'node:crypto';

type Row = Record<string, any>;

const id = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`;

/** A Stripe account: what it keeps, and what people and banks do there. Each change leaves events, as Stripe does. */
export class StripeAccount {
  readonly customers = new Map<string, Row>();
  readonly prices = new Map<string, Row>();
  readonly sessions = new Map<string, Row>();
  readonly intents = new Map<string, Row>();
  readonly charges = new Map<string, Row>();
  readonly disputes = new Map<string, Row>();
  readonly subscriptions = new Map<string, Row>();
  readonly invoices = new Map<string, Row>();
  readonly invoiceItems = new Map<string, Row>();
  /** Saved cards, by customer. */
  readonly cards = new Map<string, string>();
  /** Why a card is not charged, by the card. */
  readonly declines = new Map<string, string>();
  /** Cards of which the bank decides later. */
  readonly slow = new Set<string>();
  readonly events: Row[] = [];
  now = () => Math.floor(Date.now() / 1_000);

  addPrice(priceId: string, unitAmount: number, metadata: Row = {}, currency = 'usd'): void {
    const price = { id: priceId, object: 'price', unit_amount: unitAmount, currency, metadata };
    this.prices.set(priceId, { ...price, unit_amount_decimal: String(unitAmount) });
  }

  tell(type: string, object: Row): Row {
    const event = {
      id: id('evt'),
      object: 'event',
      type,
      created: this.now(),
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    return event;
  }

  createCustomer(form: Row): Row {
    const customer = { id: id('cus'), object: 'customer', ...form, invoice_settings: {} };
    this.customers.set(customer.id, customer);
    return customer;
  }

  createSession(form: Row): Row {
    const { price, quantity = '1' } = form['line_items']['0'];
    const session: Row = {
      id: id('cs'),
      object: 'checkout.session',
      url: 'https://checkout.stripe.test/pay',
      status: 'open',
      payment_status: 'unpaid',
      expires_at: this.now() + 86_400,
      payment_intent: null,
      subscription: null,
      amount_total: (this.prices.get(price)?.['unit_amount'] ?? 0) * Number(quantity),
      price,
      ...form,
    };
    this.sessions.set(session['id'], session);
    return session;
  }

  /** A person pays on the page: a pack, or the first month of a plan. */
  pay(sessionId: string): Row {
    const session = this.sessions.get(sessionId) as Row;
    const card = id('pm');
    this.cards.set(session['customer'], card);
    if (session['mode'] === 'subscription') session['subscription'] = this.#subscribe(session)['id'];
    else
      session['payment_intent'] = this.createIntent({
        amount: String(session['amount_total']),
        currency: 'usd',
        customer: session['customer'],
        payment_method: card,
        metadata: session['payment_intent_data']?.metadata ?? {},
      })['id'];
    Object.assign(session, { status: 'complete', payment_status: 'paid' });
    this.tell('checkout.session.completed', session);
    return session;
  }

  createIntent(form: Row): Row {
    const intent: Row = {
      id: id('pi'),
      object: 'payment_intent',
      created: this.now(),
      amount_received: 0,
      metadata: {},
      latest_charge: null,
      status: 'requires_payment_method',
      ...form,
      amount: Number(form['amount']),
    };
    this.intents.set(intent['id'], intent);
    const declined = this.declines.get(form['payment_method']);
    if (declined !== undefined) {
      intent['declined'] = declined;
      this.tell('payment_intent.payment_failed', intent);
      return intent;
    }
    if (this.slow.has(form['payment_method'])) return Object.assign(intent, { status: 'processing' });
    const charge: Row = {
      id: id('ch'),
      object: 'charge',
      payment_intent: intent['id'],
      amount: intent['amount'],
      amount_refunded: 0,
      disputed: false,
      status: 'succeeded',
      metadata: intent['metadata'],
      payment_method_details: { card: { last4: '4242', brand: 'visa', fingerprint: 'Xt5EWLLDS7FJjR1c' } },
      billing_details: { email: 'payer@example.com' },
    };
    this.charges.set(charge['id'], charge);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      latest_charge: charge['id'],
    });
    this.tell('charge.succeeded', charge);
    this.tell('payment_intent.succeeded', intent);
    return intent;
  }

  /** The bank does not pay what it was deciding about. */
  refuse(intentId: string, reason: string): void {
    const intent = this.intents.get(intentId) as Row;
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: reason },
    });
    this.tell('payment_intent.payment_failed', intent);
  }

  #chargeOf(intentId: string): Row {
    return this.charges.get(this.intents.get(intentId)?.['latest_charge']) as Row;
  }

  refund(intentId: string, amount: number): void {
    const charge = this.#chargeOf(intentId);
    charge['amount_refunded'] = Math.min(charge['amount'], charge['amount_refunded'] + amount);
    this.tell('charge.refunded', charge);
    this.tell('refund.created', { id: id('re'), object: 'refund', amount, payment_intent: intentId });
  }

  /** The bank did not take the refund. */
  failRefund(intentId: string, amount: number): void {
    const charge = this.#chargeOf(intentId);
    charge['amount_refunded'] -= amount;
    this.tell('refund.failed', { id: id('re'), object: 'refund', amount, payment_intent: intentId });
  }

  openDispute(intentId: string, amount: number, status = 'needs_response'): string {
    const charge = this.#chargeOf(intentId);
    charge['disputed'] = true;
    const dispute = {
      id: id('dp'),
      object: 'dispute',
      charge: charge['id'],
      payment_intent: intentId,
      amount,
      status,
    };
    this.disputes.set(dispute.id, dispute);
    this.tell('charge.dispute.created', dispute);
    return dispute.id;
  }

  closeDispute(disputeId: string, status: 'won' | 'lost'): void {
    const dispute = this.disputes.get(disputeId) as Row;
    dispute['status'] = status;
    this.tell('charge.dispute.closed', dispute);
  }

  #subscribe(session: Row): Row {
    const start = this.now();
    const end = start + 30 * 86_400;
    const subscription: Row = {
      id: id('sub'),
      object: 'subscription',
      customer: session['customer'],
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      items: { data: [{ price: { id: session['price'] }, current_period_end: end }] },
      metadata: session['subscription_data']?.metadata ?? {},
    };
    this.subscriptions.set(subscription['id'], subscription);
    this.tell('customer.subscription.created', subscription);
    this.#invoice(subscription, 'paid', 'subscription_create');
    return subscription;
  }

  #invoice(subscription: Row, status: 'paid' | 'open', reason: string): void {
    const number = this.invoices.size + 1;
    const invoice: Row = {
      id: id('in'),
      object: 'invoice',
      number: `T-${number}`,
      status,
      total: 2_900,
      currency: 'usd',
      created: this.now() + number,
      customer: subscription['customer'],
      hosted_invoice_url: 'https://invoice.stripe.test/i/1',
      invoice_pdf: 'https://invoice.stripe.test/i/1/pdf',
      billing_reason: reason,
      parent: { subscription_details: { subscription: subscription['id'] } },
    };
    this.invoices.set(invoice['id'], invoice);
    this.tell(status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  }

  renew(subscriptionId: string, paid: boolean): void {
    const subscription = this.subscriptions.get(subscriptionId) as Row;
    subscription['status'] = paid ? 'active' : 'past_due';
    if (paid) subscription['items'].data[0].current_period_end += 30 * 86_400;
    this.#invoice(subscription, paid ? 'paid' : 'open', 'subscription_cycle');
    this.tell('customer.subscription.updated', subscription);
  }

  cancelAtEnd(subscriptionId: string): void {
    const subscription = this.subscriptions.get(subscriptionId) as Row;
    subscription['cancel_at_period_end'] = true;
    this.tell('customer.subscription.updated', subscription);
  }

  cancel(subscriptionId: string): Row {
    const subscription = this.subscriptions.get(subscriptionId) as Row;
    subscription['status'] = 'canceled';
    this.tell('customer.subscription.deleted', subscription);
    return subscription;
  }

  createInvoiceItem(form: Row): Row {
    const item = {
      id: id('ii'),
      object: 'invoiceitem',
      invoice: null,
      ...form,
      amount: Number(form['amount']),
    };
    this.invoiceItems.set(item.id, item);
    return item;
  }

  createInvoice(form: Row): Row {
    const pending = [...this.invoiceItems.values()].filter(
      (item) => item['customer'] === form['customer'] && item['invoice'] === null,
    );
    const invoice: Row = {
      id: id('in'),
      object: 'invoice',
      number: null,
      status: 'draft',
      total: pending.reduce((sum, item) => sum + item['amount'], 0),
      currency: 'usd',
      created: this.now(),
      ...form,
    };
    for (const item of pending) item['invoice'] = invoice['id'];
    this.invoices.set(invoice['id'], invoice);
    return invoice;
  }
}
