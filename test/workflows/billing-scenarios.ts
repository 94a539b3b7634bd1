import { ApplicationFailure } from '@temporalio/common';
import type { EventOutcome } from '../../activities/billing-event.ts';
import type { Reconciled } from '../../activities/billing-reconciliation.ts';
import type { TopUpOutcome } from '../../activities/top-up.ts';
import { sleep } from '../support/temporal.ts';
import { answers } from './answers.ts';
import type { Scenario } from './scenario.ts';

const ID = '01990000-0000-7000-8000-0000000000aa';
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const providerAway = (): never => {
  throw ApplicationFailure.create({ message: 'Stripe did not show a payment (StripeConnectionError)' });
};

/** Work on payments. */
export const billingScenarios: Readonly<Record<string, Scenario>> = {
  'billing-event.handled-at-the-second-try': {
    workflow: 'billingEvent',
    input: { eventId: 'evt_1' },
    activities: { handleBillingEvent: answers<EventOutcome>(providerAway, () => 'handled') },
  },
  'top-up.paid-at-the-second-try': {
    workflow: 'topUp',
    input: { paymentId: ID },
    activities: { chargeTopUp: answers<TopUpOutcome>(providerAway, () => 'paid') },
  },
  'subscription-grace.paid-late-and-failed-again': {
    workflow: 'subscriptionGrace',
    input: { subscriptionId: 'sub_1' },
    activities: {
      readSubscriptionGrace: answers<string | null>(
        () => inMs(3_600_000),
        () => inMs(2_000),
        () => inMs(500),
      ),
      endSubscriptionGrace: answers(
        () => false,
        () => true,
      ),
    },
    async during(workflow) {
      await sleep(500);
      await workflow.signal('changed');
      await workflow.signal('begun');
    },
  },
  'overage-invoices.two-parts': {
    workflow: 'overageInvoices',
    activities: {
      invoiceOverage: answers(
        () => 100,
        () => 3,
        () => 0,
      ),
    },
  },
  'billing-reconciliation.nothing-differs': {
    workflow: 'billingReconciliation',
    activities: { reconcilePayments: answers<Reconciled>(() => ({ payments: 7, differences: 0 })) },
  },
};
