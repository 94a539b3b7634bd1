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
import type { DeliveryActivities, QueueState, ReplayRequest } from '../activities/delivering.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface WebhookEndpointInput {
  readonly endpointId: string;
}

// All of these are signals: the caller never waits. What they ask for stands in the database, or is put there
// by an activity; the workflow itself only knows when to look.
export const deliver = defineSignal('deliver');
export const redeliver = defineSignal<[eventId: string]>('redeliver');
export const replay = defineSignal<[request: ReplayRequest]>('replay');
export const pause = defineSignal('pause');
export const resume = defineSignal('resume');
export const state = defineQuery<QueueState | null>('state');

const { deliverDue, redeliverToEndpoint, replayToEndpoint, pauseEndpoint } =
  proxyLocalActivities<DeliveryActivities>({
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
  });

/** How long an idle process waits for more before it ends: a busy endpoint needs no new one for each event. */
const LINGER_MS = 10_000;
/** Between two looks at an attempt whose time is over, should clocks not agree. */
const SHORTEST_WATCH_MS = 1_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

/** The delivery queue of one webhook endpoint. Sends what is due, sleeps to the next attempt, ends when nothing waits. */
export async function webhookEndpoint(input: WebhookEndpointInput): Promise<void> {
  const { endpointId } = input;
  let woken = false;
  let current: QueueState | null = null;
  const requests: (() => Promise<void>)[] = [];
  const ask = (request: () => Promise<void>): void => {
    requests.push(request);
    woken = true;
  };
  setHandler(deliver, () => void (woken = true), { description: 'Something is due: look.' });
  setHandler(redeliver, (eventId) => ask(() => redeliverToEndpoint(endpointId, eventId)), {
    description: 'Send an event again, from attempt 1. Input: the event id.',
  });
  setHandler(replay, (request) => ask(() => replayToEndpoint(endpointId, request)), {
    description: 'Send missed events again. Input: {"since": time, "until"?: time, "events"?: [names]}.',
  });
  setHandler(pause, () => ask(() => pauseEndpoint(endpointId, true)), {
    description: 'Send nothing until resumed.',
  });
  setHandler(resume, () => ask(() => pauseEndpoint(endpointId, false)), { description: 'Go on sending.' });
  setHandler(state, () => current, {
    description: 'What waits, when the next attempt is due, and the last error.',
  });

  for (;;) {
    woken = false;
    for (let request = requests.shift(); request; request = requests.shift()) await request();
    current = await deliverDue(endpointId);
    show(endpointId, current);
    const wait = woken ? 0 : waitOf(current);
    if (wait > 0 && !(await condition(() => woken, wait)) && isOver(current)) return;
    if (workflowInfo().continueAsNewSuggested && requests.length === 0) {
      await continueAsNew<typeof webhookEndpoint>(input);
    }
  }
}

/** Nothing waits, or nothing of what waits will be sent before somebody says so. */
const isIdle = (queue: QueueState): boolean =>
  !queue.exists || !queue.enabled || queue.paused || queue.nextAt === null;

/** Nor is there an attempt under way, of which somebody would have to write down that it was interrupted. */
const isOver = (queue: QueueState): boolean => isIdle(queue) && (queue.leaseEndsAt ?? null) === null;

function waitOf(queue: QueueState): number {
  const idle = isIdle(queue);
  const until = (idle ? queue.leaseEndsAt : queue.nextAt) ?? null;
  if (until === null) return LINGER_MS;
  const wait = Math.max(idle ? SHORTEST_WATCH_MS : 0, Date.parse(until) - Date.now());
  return Math.min(LONGEST_WAIT_MS, wait);
}

function show(endpointId: string, queue: QueueState): void {
  const { waiting, nextAt, consecutiveFailures, lastError } = queue;
  const name = !queue.exists
    ? 'deleted'
    : !queue.enabled
      ? 'disabled'
      : queue.paused
        ? 'paused'
        : waiting > 0
          ? 'waiting'
          : 'idle';
  setCurrentDetails(
    `${name}: ${waiting} waiting, next at ${nextAt ?? 'none'}, ${consecutiveFailures} failures in a row, last error ${lastError ?? 'none'}`,
  );
  if (name === shown()) return;
  upsertSearchAttributes([
    { key: searchAttributes.processState, value: name },
    // A process that support started from the CLI was given none.
    { key: searchAttributes.endpointId, value: endpointId },
  ]);
}

const shown = (): string | undefined =>
  workflowInfo().typedSearchAttributes.get(searchAttributes.processState);
