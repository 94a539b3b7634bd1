import type { Payments } from '../adapters/payments/create-payments.ts';
import { compareWithLedger, listPurchases } from '../domain/billing/reconcile.ts';
import type { Difference } from '../domain/billing/reconcile.ts';
import { differencesFound } from '../observability/metrics/billing.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** How far back payments are compared: disputes and refunds come later than payments. */
const BACK_MS = 60 * 24 * 60 * 60_000;
/** Younger payments may still have events on their way. */
const SETTLING_MS = 60 * 60_000;
const PAGE = 100;
/** The most pages of one run, of each side. */
const PAGES = 1_000;
const HEARTBEAT_MS = 10_000;

/** The result of a comparison. */
export interface Reconciled {
  readonly payments: number;
  readonly differences: number;
}

/** Reads only, on both sides: a difference is for a person to decide. */
export function createReconciliationActivities(ports: Pick<Ports, 'db' | 'clock' | 'log' | 'payments'>) {
  const { db, clock, log } = ports;

  /** @param seen receives the ids of all payments that the provider has */
  async function comparePayments(
    { provider }: Payments,
    since: Date,
    seen: Set<string>,
  ): Promise<Difference[]> {
    const found: Difference[] = [];
    let after: string | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const payments = await provider.listPayments(since, PAGE, after);
      for (const { intentId } of payments) seen.add(intentId);
      found.push(...(await compareWithLedger(db, payments)));
      after = payments.at(-1)?.intentId ?? null;
      if (payments.length < PAGE) break;
    }
    return found;
  }

  /** Purchases of the ledger that the provider did not list. */
  async function comparePurchases(from: Date, until: Date, seen: ReadonlySet<string>): Promise<Difference[]> {
    const found: Difference[] = [];
    let after = '';
    for (let page = 0; page < PAGES; page += 1) {
      const lines = await listPurchases(db, { from, until }, after, PAGE);
      for (const { payment_id: paymentId, organisation_id: organisationId, amount } of lines)
        if (!seen.has(paymentId))
          found.push({ kind: 'not_at_provider', paymentId, organisationId, expected: 0, found: amount });
      after = lines.at(-1)?.payment_id ?? '';
      if (lines.length < PAGE) break;
    }
    return found;
  }

  return {
    /** @param certain whether what differs is told; before, it may be an event that is on its way */
    reconcilePayments(certain: boolean): Promise<Reconciled> {
      return withHeartbeat(async () => {
        if (ports.payments === null) return { payments: 0, differences: 0 };
        const now = clock.now().getTime();
        const since = new Date(now - BACK_MS);
        const seen = new Set<string>();
        const differences = await comparePayments(ports.payments, since, seen);
        // A purchase begins before its payment: a day less is surely in the provider's list.
        const from = new Date(since.getTime() + 24 * 60 * 60_000);
        differences.push(...(await comparePurchases(from, new Date(now - SETTLING_MS), seen)));
        if (certain) differencesFound(differences.map(({ kind }) => kind));
        for (const difference of certain ? differences : [])
          log.error({ difference }, 'a payment of the provider and the ledger differ');
        return { payments: seen.size, differences: differences.length };
      }, HEARTBEAT_MS);
    },
  };
}

export type ReconciliationActivities = ReturnType<typeof createReconciliationActivities>;
