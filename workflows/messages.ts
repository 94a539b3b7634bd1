import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { MessagesActivities } from '../activities/messages.ts';
import { MESSAGES_TASK_QUEUE } from './names.ts';
import { showState } from './show-state.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';

export interface MessagesState {
  readonly state: 'sending' | 'waiting' | 'failing' | 'idle';
  /** When the next mail is due, ISO 8601; null if none is. */
  readonly nextAt: string | null;
}

// Only says that there is something to send; the database says what. A signal, because no caller waits for an answer.
export const told = defineSignal('told');
const state = defineQuery<MessagesState>('state');

const { sendMessages } = proxyActivities<MessagesActivities>({
  taskQueue: MESSAGES_TASK_QUEUE,
  // A call sends a few mails, each with a time-out of its own.
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 8 },
});

/** Before another look, if the worker's clock is behind the server's. */
const SHORTEST_WAIT_MS = 500;

/**
 * Sends a person what they were told, by mail: what is due at once, and what waits for a digest or another attempt at its
 * time. It ends when nothing is left.
 */
export async function messages(input: { readonly memberId: string }): Promise<void> {
  let isTold = false;
  let current: MessagesState = { state: 'sending', nextAt: null };
  setHandler(told, () => void (isTold = true), { description: 'There is something to send: look.' });
  setHandler(state, () => current, { description: 'Whether it sends, and when the next mail is due.' });
  const enter = (next: MessagesState, details: string): void => {
    current = next;
    showState(next.state, details);
  };

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof messages>(input);
    isTold = false;
    const nextAt = await untilItSucceeds(
      () => sendMessages(input.memberId),
      (reason) => enter({ ...current, state: 'failing' }, `retried every 5 min: ${reason}`),
    );
    if (isTold) continue;
    if (nextAt === null) break;
    if (nextAt !== current.nextAt) enter({ state: 'waiting', nextAt }, `the next mail is due at ${nextAt}`);
    await condition(() => isTold, Math.max(SHORTEST_WAIT_MS, Date.parse(nextAt) - Date.now()));
  }
  enter({ state: 'idle', nextAt: null }, 'nothing is left to send');
}
