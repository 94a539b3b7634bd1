import { readAccount } from '../../../domain/billing/account.ts';
import { orderId } from '../../../domain/billing/order-id.ts';
import { addCheckout } from '../../../domain/billing/payment.ts';
import { presentBilling, presentInvoice, presentTopUp } from '../../../domain/billing/present.ts';
import { readBilling } from '../../../domain/billing/read.ts';
import { readStoragePrices } from '../../../domain/billing/storage-prices.ts';
import { findCurrentSubscription } from '../../../domain/billing/subscription.ts';
import { changeTopUp } from '../../../domain/billing/top-up.ts';
import type { Caller } from '../../../domain/access/authenticate.ts';
import { recordOrganisationChange } from '../../../domain/audit/change.ts';
import { conflict, ServiceError } from '../../../domain/kernel/errors.ts';
import { encodeCursor } from '../../../domain/kernel/cursor.ts';
import { startOf } from '../../../domain/kernel/page.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { created, ok, page } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import {
  requireCustomer,
  requirePack,
  requirePayments,
  requirePrice,
  soldAs,
  withProvider,
} from './purchase.ts';
import {
  AutoTopUpBody,
  AutoTopUpShape,
  BillingShape,
  CheckoutBody,
  CheckoutShape,
  InvoicePage,
  PortalBody,
  PortalShape,
} from './schema.ts';

const reading: Access = { scope: 'meta:read', permission: 'billing.manage', rateClass: 'read' };

/** @returns FORBIDDEN for an agent's key: no approval lets an agent spend money */
const refuseAgentKeys = ({ heldByAgent }: Caller): ServiceError | null =>
  heldByAgent
    ? new ServiceError(
        'FORBIDDEN',
        'Only a person can spend the money of the organisation. Use a key that is not held by an agent.',
      )
    : null;

const writing: Access = {
  scope: 'keys:write',
  permission: 'billing.manage',
  rateClass: 'write',
  refuse: refuseAgentKeys,
};

const targetOf = (id: string) => ({ type: 'organisation', id });

const read = operation({
  id: 'getBilling',
  method: 'GET',
  path: '/billing',
  summary: 'Show the plan, the subscription, the credits and what storage costs',
  description: 'Of the whole organisation. `provider` is null if nothing can be bought here.',
  access: reading,
  answers: { 200: BillingShape },
  async handle({ db, site, caller, ports, now }) {
    const { payments } = ports;
    const state = await readBilling(db, site.organisationId, now);
    const beyond = state.overage.documentDays > 0 || state.overage.byteDays > 0;
    const prices =
      payments !== null && beyond
        ? await withProvider(ports, () => readStoragePrices(payments.provider, payments.catalogue))
        : null;
    return ok(presentBilling(state, caller.plan, payments && 'stripe', prices, now));
  },
});

const checkout = operation({
  id: 'startCheckout',
  method: 'POST',
  path: '/billing/checkout',
  summary: 'Buy packs of credits, or subscribe to a plan',
  description:
    'Answers a page of Stripe where a person pays. Credits and plan come with the payment, not with the return to `return_url`. The card of a pack is kept for automatic purchases. A second subscription is 409: the portal changes the first one. Without a payment provider it is 409 `FEATURE_UNAVAILABLE`.',
  access: writing,
  body: CheckoutBody,
  idempotency: 'honoured',
  examine: ({ plan, pack }, { payments }) => ({
    ...soldAs(payments, 'plan', plan),
    ...soldAs(payments, 'pack', pack),
  }),
  answers: { 201: CheckoutShape },
  errors: ['FORBIDDEN', 'CONFLICT', 'FEATURE_UNAVAILABLE'],
  prepare({ ports, site, body, idempotencyKey, now }) {
    const payments = requirePayments(ports);
    return withProvider(ports, async () => {
      const { organisationId } = site;
      const { plan, pack, quantity = 1, return_url: returnUrl } = body;
      if (plan !== undefined && (await findCurrentSubscription(ports.db, organisationId)) !== null)
        throw conflict('The organisation has a subscription. Change it with POST /billing/portal.');
      const sold = pack === undefined ? null : await requirePack(payments, pack);
      const price =
        sold?.price ??
        (await requirePrice(payments, plan ?? '', payments.catalogue.plans.get(plan as 'pro') ?? ''));
      const customerId = await requireCustomer(ports, payments, site, now);
      const id = orderId(site.id, idempotencyKey, body, now);
      const purchaseId = sold === null ? null : id;
      const order = { customerId, organisationId, priceId: price.id, quantity, returnUrl, purchaseId };
      const opened = await payments.provider.openCheckout(order, `checkout/${id}`);
      return { id, sold, quantity, opened };
    });
  },
  async handle({ tx, site, actor, body, now, prepared: { id, sold, quantity, opened } }) {
    const { organisationId } = site;
    if (sold !== null) {
      const values = {
        id,
        organisation_id: organisationId,
        pack: body.pack ?? '',
        quantity,
        credits: sold.credits * quantity,
        amount: Math.round(sold.price.unitAmount * quantity),
        currency: sold.price.currency,
        session_id: opened.sessionId,
      };
      await addCheckout(tx, values, now);
    }
    const { plan = null, pack = null } = body;
    const details = sold === null ? { plan } : { pack, quantity };
    recordOrganisationChange(
      { tx, actor, now },
      'billing.checkout',
      organisationId,
      targetOf(organisationId),
      details,
    );
    return created({ url: opened.url, expires_at: opened.expiresAt.toISOString() });
  },
});

const portal = operation({
  id: 'openBillingPortal',
  method: 'POST',
  path: '/billing/portal',
  summary: 'Open the portal for cards, the subscription and invoices',
  description:
    'Answers a page of Stripe where a person changes cards and the subscription. The customer is created if there is none. Without a payment provider it is 409 `FEATURE_UNAVAILABLE`.',
  access: writing,
  body: PortalBody,
  secret: true,
  answers: { 201: PortalShape },
  errors: ['FORBIDDEN', 'FEATURE_UNAVAILABLE'],
  prepare({ ports, site, body, now }) {
    const payments = requirePayments(ports);
    return withProvider(ports, async () => {
      const customerId = await requireCustomer(ports, payments, site, now);
      return payments.provider.openPortal(customerId, body.return_url);
    });
  },
  async handle({ tx, site, actor, now, prepared: url }) {
    const { organisationId } = site;
    recordOrganisationChange({ tx, actor, now }, 'billing.portal', organisationId, targetOf(organisationId));
    return created({ url });
  },
});

const invoices = operation({
  id: 'listInvoices',
  method: 'GET',
  path: '/billing/invoices',
  summary: 'List invoices, newest first',
  description: 'As Stripe has them now. Empty if the organisation has never bought anything.',
  access: reading,
  query: PageQuery,
  answers: { 200: InvoicePage },
  async handle({ db, site, query, ports }) {
    const binding = { key: site.cursorKey, query: 'billing/invoices' };
    const start = startOf(binding, query);
    const { customer_id: customerId } = await readAccount(db, site.organisationId);
    const { payments } = ports;
    if (payments === null || customerId === null)
      return page({ items: [], nextCursor: null }, presentInvoice);
    const { invoices: items, more } = await withProvider(ports, () =>
      payments.provider.listInvoices(customerId, query.limit, start?.id ?? null),
    );
    const last = items.at(-1);
    const nextCursor = more && last !== undefined ? encodeCursor(binding, { key: null, id: last.id }) : null;
    return page({ items, nextCursor }, presentInvoice);
  },
});

const topUp = operation({
  id: 'updateAutoTopUp',
  method: 'PATCH',
  path: '/billing/auto-top-up',
  summary: 'Set the automatic purchase of packs',
  description:
    'Each charge that leaves less than `below` buys a pack with the saved card, one at a time and at most `monthly_limit` in a calendar month (UTC); switching it on below that buys one at once. Members that are left out stay. A declined card stops nothing except the purchase. Without a saved card it is 409 `PREREQUISITE_MISSING`: buy a pack with POST /billing/checkout first.',
  access: writing,
  body: AutoTopUpBody,
  examine: ({ pack }, { payments }) => soldAs(payments, 'pack', pack),
  answers: { 200: AutoTopUpShape },
  errors: ['FORBIDDEN', 'FEATURE_UNAVAILABLE', 'PREREQUISITE_MISSING'],
  async prepare({ ports, site, body }) {
    const payments = requirePayments(ports);
    if (body.enabled !== true) return;
    const { customer_id: customerId } = await readAccount(ports.db, site.organisationId);
    const card = customerId && (await withProvider(ports, () => payments.provider.findCard(customerId)));
    if (!card)
      throw new ServiceError(
        'PREREQUISITE_MISSING',
        'There is no saved card. Buy a pack with POST /billing/checkout, which saves it.',
      );
  },
  async handle({ tx, site, actor, body, now }) {
    return ok(presentTopUp(await changeTopUp({ tx, actor, now }, site.organisationId, body)));
  },
});

export const billingOperations = [read, checkout, portal, invoices, topUp];
