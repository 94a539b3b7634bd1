import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { ReconciliationActivities, Reconciled } from '../activities/billing-reconciliation.ts';
import { showState } from './show-state.ts';

const { reconcilePayments } = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes', maximumAttempts: 10 },
});

/** A difference may be an event that is on its way. */
const SETTLING = '1 hour';

/**
 * Compares the payments of the provider with the ledger. It changes nothing: a difference is counted and logged, and a
 * person looks at it. Started by the Schedule `billing-reconciliation`.
 */
export async function billingReconciliation(): Promise<Reconciled> {
  setCurrentDetails('comparing the payments of the provider with the ledger');
  let { payments, differences } = await reconcilePayments(false);
  if (differences > 0) {
    setCurrentDetails(
      `${differences} payments differ; looking again in ${SETTLING}, when their events have come`,
    );
    await sleep(SETTLING);
    ({ payments, differences } = await reconcilePayments(true));
  }
  const state = differences === 0 ? 'done' : 'different';
  showState(state, `${state}: ${payments} payments, ${differences} differ from the ledger (see the log)`);
  return { payments, differences };
}
