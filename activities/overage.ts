import type { Payments } from '../adapters/payments/create-payments.ts';
import {
  costOf,
  fixOverage,
  listDueMonths,
  markInvoiced,
  markRefused,
  readOverage,
  settleFreeMonths,
} from '../domain/billing/overage.ts';
import type { DueMonth, StoragePrices } from '../domain/billing/overage.ts';
import { CURRENCY } from '../domain/billing/present.ts';
import { ProviderError } from '../domain/billing/provider.ts';
import { billing } from '../domain/billing/settle.ts';
import { readStoragePrices } from '../domain/billing/storage-prices.ts';
import { recordOrganisationChange } from '../domain/audit/change.ts';
import { overageInvoiced } from '../observability/metrics/billing.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** Months in one call. */
const BATCH = 100;
const HEARTBEAT_MS = 10_000;

/**
 * The side effects of invoicing storage. Safe to run twice: the price of a month is stored before it is invoiced, under a
 * key that is derived from the month.
 */
export function createOverageActivities(ports: Pick<Ports, 'db' | 'clock' | 'log' | 'payments'>) {
  const { db, clock, log } = ports;

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
    overageInvoiced('invoiced');
  }

  /** Invoices a month. One that the provider refuses waits for a person, and for the next start of the Schedule. */
  async function invoiceUnlessRefused(
    payments: Payments,
    prices: StoragePrices,
    due: DueMonth,
  ): Promise<void> {
    try {
      await invoice(payments, prices, due);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.passing) throw error;
      await markRefused(db, due, clock.now());
      overageInvoiced('refused');
      const { organisation_id, month } = due;
      log.error({ organisation_id, month, err: error }, 'the storage of a month could not be invoiced');
    }
  }

  return {
    /** Invoices some months that are over. @returns how many it has looked at; 0 once none is left */
    invoiceOverage(): Promise<number> {
      return withHeartbeat(async () => {
        const { payments } = ports;
        if (payments === null) return 0;
        const prices = await readStoragePrices(payments.provider, payments.catalogue);
        if (prices === null) return settleFreeMonths(db, clock.now(), CURRENCY, BATCH);
        const due = await listDueMonths(db, clock.now(), BATCH);
        for (const each of due) await invoiceUnlessRefused(payments, prices, each);
        return due.length;
      }, HEARTBEAT_MS);
    },
  };
}

export type OverageActivities = ReturnType<typeof createOverageActivities>;
