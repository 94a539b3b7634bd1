import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { OverageActivities } from '../activities/overage.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';

const { invoiceOverage } = proxyActivities<OverageActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 8 },
});

/**
 * Invoices the storage of organisations beyond the included one in the months that are over, each month once. Started by
 * the Schedule `overage-invoices`. @returns how many were invoiced
 */
export async function overageInvoices(): Promise<number> {
  let invoiced = 0;
  for (;;) {
    setCurrentDetails(`${invoiced} months are invoiced`);
    const done = await untilItSucceeds(invoiceOverage, (reason) =>
      setCurrentDetails(`failing: retried every 5 min: ${reason}`),
    );
    if (done === 0) return invoiced;
    invoiced += done;
  }
}
