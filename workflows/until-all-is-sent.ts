import { condition, defineQuery, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { showState } from './show-state.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';

export interface SendingState {
  readonly state: 'sending' | 'waiting' | 'failing' | 'idle';
  /** When the next message is due, ISO 8601; null if none is. */
  readonly nextAt: string | null;
}

// Only says that there is something to send; the database says what. A signal, because no caller waits for an answer.
export const told = defineSignal('told');
const state = defineQuery<SendingState>('state');

/** A call sends a few messages, each with a time-out of its own. */
export const sendingOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 8 },
} as const;

/** Before another look, if the worker's clock is behind the server's. */
const SHORTEST_WAIT_MS = 500;

/**
 * Sends what is due at once, and what waits for its time or another attempt then, until nothing is left.
 *
 * @param send sends what is due, and returns when the next message is
 * @param again continues as new
 */
export async function untilAllIsSent(
  send: () => Promise<string | null>,
  again: () => Promise<never>,
): Promise<void> {
  let isTold = false;
  let current: SendingState = { state: 'sending', nextAt: null };
  setHandler(told, () => void (isTold = true), { description: 'There is something to send: look.' });
  setHandler(state, () => current, { description: 'Whether it sends, and when the next message is due.' });
  const enter = (next: SendingState, details: string): void => {
    current = next;
    showState(next.state, details);
  };

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await again();
    isTold = false;
    const nextAt = await untilItSucceeds(send, (reason) =>
      enter({ ...current, state: 'failing' }, `retried every 5 min: ${reason}`),
    );
    if (isTold) continue;
    if (nextAt === null) break;
    if (nextAt !== current.nextAt) enter({ state: 'waiting', nextAt }, `the next one is due at ${nextAt}`);
    await condition(() => isTold, Math.max(SHORTEST_WAIT_MS, Date.parse(nextAt) - Date.now()));
  }
  enter({ state: 'idle', nextAt: null }, 'nothing is left to send');
}
