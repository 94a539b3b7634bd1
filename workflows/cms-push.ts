import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CmsPushActivities, PushQueueState } from '../activities/cms-push.ts';
import { searchAttributes } from './names.ts';
import { reasonOf } from './reason.ts';

export interface CmsPushInput {
  readonly connectionId: string;
  readonly siteId: string;
}

/** Says that something changed for the connection: a push, or its settings. The database says what. */
export const push = defineSignal('push');
const state = defineQuery<PushQueueState | null>('state');

const { pushDue } = proxyLocalActivities<CmsPushActivities>({
  // A slow repository may take most of it. Until then, the worker keeps its workflow task by heartbeats.
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 8 },
});

/** How long a workflow without work stays, so that the next push need not start one. */
const LINGER_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** Wait after a failure that is not the remote's. */
const FAILING_WAIT_MS = 15_000;

/**
 * Pushes articles to the remote of one connection, one batch after another. Sleeps until the next attempt or a signal,
 * and ends when nothing waits.
 */
export async function cmsPush(input: CmsPushInput): Promise<void> {
  const { connectionId } = input;
  let woken = false;
  let current: PushQueueState | null = null;
  setHandler(push, () => void (woken = true), { description: 'A push is due: look at what waits.' });
  setHandler(state, () => current, {
    description: 'How many articles wait, when the next attempt is due, and the last error.',
  });

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof cmsPush>(input);
    woken = false;
    try {
      current = await pushDue(connectionId);
    } catch (error) {
      setCurrentDetails(`failing, retried every 15 s: ${reasonOf(error)}`);
      enter(input, 'failing');
      await condition(() => woken, FAILING_WAIT_MS);
      continue;
    }
    show(input, current);
    if (woken) continue;
    if (!current.exists) return;
    if (current.nextAt !== null && current.enabled) await condition(() => woken, waitOf(current.nextAt));
    else if (!(await condition(() => woken, LINGER_MS))) return;
  }
}

const waitOf = (nextAt: string): number =>
  Math.min(LONGEST_WAIT_MS, Math.max(0, Date.parse(nextAt) - Date.now()));

function nameOf({ exists, enabled, waiting, lastError }: PushQueueState): string {
  if (!exists) return 'deleted';
  if (!enabled) return 'disabled';
  if (waiting > 0) return lastError === null ? 'waiting' : 'retrying';
  return lastError === null ? 'idle' : 'failed';
}

function show(input: CmsPushInput, queue: PushQueueState): void {
  const { waiting, nextAt, lastError } = queue;
  const name = nameOf(queue);
  setCurrentDetails(
    `${name}: ${waiting} waiting, next at ${nextAt ?? 'none'}, last error ${lastError ?? 'none'}`,
  );
  enter(input, name);
}

/** The connection has no search attribute of its own, because PostgreSQL's visibility has ten: its id is the workflow's. */
function enter({ siteId }: CmsPushInput, name: string): void {
  const { typedSearchAttributes: shown } = workflowInfo();
  if (name === shown.get(searchAttributes.processState)) return;
  upsertSearchAttributes([
    { key: searchAttributes.processState, value: name },
    { key: searchAttributes.siteId, value: siteId },
  ]);
}
