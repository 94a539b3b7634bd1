import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { TopUpActivities, TopUpOutcome } from '../activities/top-up.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';
import { showState } from './show-state.ts';

const { chargeTopUp } = proxyActivities<TopUpActivities>({
  // Several calls to the provider, each with its own time-out.
  startToCloseTimeout: '2 minutes',
  // After that, another worker continues the work of a dead one.
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 8 },
});

/** Between two looks at a payment that the bank is still deciding about; its event usually comes first. */
const LOOK_AGAIN = '1 hour';

/** Buys a pack of credits with the saved card. It pays once, however often its activity runs. */
export async function topUp(input: { readonly paymentId: string }): Promise<TopUpOutcome> {
  const show = (state: string, details: string): void => showState(state, `${state}: ${details}`);
  show('charging', 'charging the saved card');
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof topUp>(input);
    const outcome = await untilItSucceeds(
      () => chargeTopUp(input.paymentId),
      (reason) => show('failing', `retried every 5 min: ${reason}`),
    );
    show(outcome, details[outcome]);
    if (outcome !== 'pending') return outcome;
    await sleep(LOOK_AGAIN);
  }
}

const details: Readonly<Record<TopUpOutcome, string>> = {
  paid: 'the credits are there',
  failed: 'no money came; the purchase says why',
  pending: 'the bank is deciding',
  gone: 'the row no longer exists',
};
