import { proxyActivities } from '@temporalio/workflow';
import type { BillingEventActivities, EventOutcome } from '../activities/billing-event.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';
import { showState } from './show-state.ts';

const { handleBillingEvent } = proxyActivities<BillingEventActivities>({
  // Several calls to the provider, each with its own time-out.
  startToCloseTimeout: '2 minutes',
  // After that, another worker continues the work of a dead one.
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 8 },
});

/** Handles an event of the payment provider, until it succeeds. Events come in any order; each reads the current state. */
export async function billingEvent({ eventId }: { readonly eventId: string }): Promise<EventOutcome> {
  const show = (state: string, details: string): void => showState(state, `${state}: ${details}`);
  show('handling', 'reading what the event is about from the payment provider');
  const outcome = await untilItSucceeds(
    () => handleBillingEvent(eventId),
    (reason) => show('failing', `retried every 5 min: ${reason}`),
  );
  show(outcome, details[outcome]);
  return outcome;
}

const details: Readonly<Record<EventOutcome, string>> = {
  handled: 'credits and plan are as the provider says',
  ignored: 'the event is about nothing of this installation',
  gone: 'the row no longer exists',
};
