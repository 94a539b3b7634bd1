import type { Payments } from '../adapters/payments/create-payments.ts';
import { costOf, fixOverage, listDueMonths, markInvoiced, readOverage } from '../domain/billing/overage.ts';
import type { DueMonth, StoragePrices } from '../domain/billing/overage.ts';
import { billing } from '../domain/billing/settle.ts';
import { readStoragePrices } from '../domain/billing/storage-prices.ts';
import { recordOrganisationChange } from '../domain/audit/change.ts';
import type { BillingPorts } from './billing-event.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Months in one call. */
const BATCH = 100;
const HEARTBEAT_MS = 10_000;

/**
 * The side effects of invoicing storage. Safe to run twice: what a month costs is stored before it is invoiced, under a
 * key that is derived from the month.
 */
export function createOverageActivities(ports: BillingPorts) {
  const { db, clock } = ports;

  async function invoice(payments: Payments, prices: StoragePrices, due: DueMonth): Promise<void> {
    const { organisation_id: organisationId, month } = due;
    const inMonth = new Date(`${month}-01T00:00:00.000Z`);
    const amount = costOf(await readOverage(db, organisationId, inMonth), prices, inMonth);
    const cost = { amount, currency: prices.currency };
    const fixed = await db.transaction((tx) => fixOverage(tx, due, cost, clock.now()));
    const charge = {
      customerId: due.customer_id,
      organisationId,
      month,
      ...fixed,
      description: `Storage beyond the included one, ${month}`,
      withSubscription: due.subscribed,
    };
    const itemId =
      fixed.amount === 0
        ? null
        : await payments.provider.chargeOverage(charge, `overage/${organisationId}/${month}`);
    await db.transaction(async (tx) => {
      await markInvoiced(tx, due, itemId, clock.now());
      const act = { tx, actor: billing, now: clock.now() };
      const target = { type: 'organisation', id: organisationId };
      recordOrganisationChange(act, 'billing.overage', organisationId, target, { month, ...fixed });
    });
  }

  return {
    /** Invoices some months that are over. @returns how many; 0 once none is left */
    invoiceOverage(): Promise<number> {
      return withHeartbeat(async () => {
        const { payments } = ports;
        if (payments === null) return 0;
        const due = await listDueMonths(db, clock.now(), BATCH);
        if (due.length === 0) return 0;
        const prices = await readStoragePrices(payments.provider, payments.catalogue);
        if (prices === null) return 0;
        for (const each of due) await invoice(payments, prices, each);
        return due.length;
      }, HEARTBEAT_MS);
    },
  };
}

export type OverageActivities = ReturnType<typeof createOverageActivities>;
