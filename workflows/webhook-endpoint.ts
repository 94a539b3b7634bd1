import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  WebhookEndpointActivities,
  QueueState,
  ReplayPosition,
  ReplayRequest,
  SupportOutcome,
} from '../activities/webhook-endpoint.ts';
import { searchAttributes } from './names.ts';
import { Undecodable } from './payload-converter.ts';
import { reasonOf } from './reason.ts';
import { checkEventId, checkNothing, checkReplay } from './support-signals.ts';

// All of these are signals because the caller never waits. The database holds their request, or an activity puts
// it there; the workflow itself only knows when to look.
export const deliver = defineSignal('deliver');
export const redeliver = defineSignal<[eventId: string]>('redeliver');
export const replay = defineSignal<[request: ReplayRequest]>('replay');
export const pause = defineSignal('pause');
export const resume = defineSignal('resume');
export const state = defineQuery<QueueState | null>('state');

const { deliverDue, redeliverToEndpoint, replayToEndpoint, pauseEndpoint } =
  proxyLocalActivities<WebhookEndpointActivities>({
    startToCloseTimeout: '20 seconds',
    scheduleToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 8 },
  });

/** Between two looks at an attempt whose lease has ended, in case clocks differ. */
const SHORTEST_WATCH_MS = 1_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** Wait after a failure, unless a support request arrives. Due deliveries are sent without the workflow meanwhile. */
const FAILING_WAIT_MS = 15_000;
/** Support requests that may wait. */
const REQUESTS_KEPT = 100;

type Request = () => Promise<SupportOutcome>;

/**
 * The delivery queue of one webhook endpoint. Sends due deliveries, and sleeps until the next attempt or a signal. It stays
 * open as long as the endpoint exists, so that support can signal it; while it is idle it costs nothing.
 */
export async function webhookEndpoint(input: { readonly endpointId: string }): Promise<void> {
  const { endpointId } = input;
  let woken = false;
  let current: QueueState | null = null;
  let refused: string | null = null;
  const requests: Request[] = [];
  /** Requests that continue after the next look at the queue. */
  const later: Request[] = [];

  const refuse = (reason: string): void => {
    refused = reason;
    log.warn('a signal was refused', { reason });
    setCurrentDetails(`refused: ${reason}`);
  };
  const ask = (request: Request): void => {
    if (requests.length >= REQUESTS_KEPT)
      return refuse(`${REQUESTS_KEPT} requests are already waiting; try again later`);
    requests.push(request);
    woken = true;
  };
  /** Queues a signal's request if its input is valid. */
  const take = <Input>(
    name: string,
    args: readonly unknown[],
    check: (args: readonly unknown[]) => { readonly input: Input } | { readonly refused: string },
    request: (input: Input) => ReturnType<Request>,
  ): void => {
    const unreadable = args.find((arg) => arg instanceof Undecodable);
    const checked = unreadable ? { refused: `the input: ${unreadable.reason}` } : check(args);
    if ('refused' in checked) {
      refuse(`${name}: ${checked.refused}`);
      woken = true;
    } else ask(() => request(checked.input));
  };
  const askReplay = async (range: ReplayRequest, position?: ReplayPosition): ReturnType<Request> => {
    const outcome = await replayToEndpoint(endpointId, range, position);
    const { next } = outcome;
    // The first batch fixes the end: later events are sent anyway.
    const bounded = { ...range, until: range.until ?? new Date().toISOString() };
    if (next !== undefined) later.push(() => askReplay(bounded, next));
    return outcome;
  };
  setHandler(deliver, () => void (woken = true), { description: 'A delivery is due: look at the queue.' });
  setHandler(
    redeliver,
    (...args) => take('redeliver', args, checkEventId, (id) => redeliverToEndpoint(endpointId, id)),
    { description: 'Redeliver an event, from attempt 1. Input: the event id.' },
  );
  setHandler(replay, (...args) => take('replay', args, checkReplay, (range) => askReplay(range)), {
    description: 'Redeliver missed events. Input: {"since": time, "until"?: time, "events"?: [names]}.',
  });
  setHandler(pause, (...args) => take('pause', args, checkNothing, () => pauseEndpoint(endpointId, true)), {
    description: 'Send nothing until resumed.',
  });
  setHandler(
    resume,
    (...args) => take('resume', args, checkNothing, () => pauseEndpoint(endpointId, false)),
    { description: 'Resume sending.' },
  );
  setHandler(state, () => current, {
    description: 'How many deliveries wait, when the next attempt is due, and the last error.',
  });

  for (;;) {
    woken = false;
    for (let request = requests.shift(); request; request = requests.shift()) {
      const done = await tryTo(request);
      if ('failed' in done) refuse(`it failed, try again: ${done.failed}`);
      else if (done.result.refused !== undefined) refuse(done.result.refused);
    }
    const looked = await tryTo(() => deliverDue(endpointId));
    if ('failed' in looked) {
      showFailing(endpointId, looked.failed);
      await condition(() => requests.length > 0, FAILING_WAIT_MS);
    } else {
      current = looked.result;
      show(endpointId, current, refused);
      if (later.length > 0) {
        requests.push(...later.splice(0));
        woken = true;
      }
      if (!current.exists && !woken) return;
      const wait = woken ? 0 : waitOf(current);
      if (wait === null) await condition(() => woken);
      else await condition(() => woken, wait);
    }
    if (workflowInfo().continueAsNewSuggested && requests.length === 0 && later.length === 0) {
      await continueAsNew<typeof webhookEndpoint>(input);
    }
  }
}

/** The result of a local activity, or why it failed after all its attempts. */
async function tryTo<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly failed: string }> {
  try {
    return { result: await work() };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

/** Nothing waits, or nothing will be sent until the endpoint is enabled or resumed. */
const isIdle = (queue: QueueState): boolean =>
  !queue.exists || !queue.enabled || queue.paused || queue.nextAt === null;

/** Until the next attempt, or until one in flight counts as interrupted; null if there is neither. */
function waitOf(queue: QueueState): number | null {
  const idle = isIdle(queue);
  const until = idle ? queue.leaseEndsAt : queue.nextAt;
  if (until === null) return null;
  const wait = Math.max(idle ? SHORTEST_WATCH_MS : 0, Date.parse(until) - Date.now());
  return Math.min(LONGEST_WAIT_MS, wait);
}

/** `retrying`, `failed`: the last attempts failed, and some are retried or none. */
function nameOf({ exists, enabled, paused, waiting, consecutiveFailures }: QueueState): string {
  if (!exists) return 'deleted';
  if (!enabled) return 'disabled';
  if (paused) return 'paused';
  if (consecutiveFailures > 0) return waiting > 0 ? 'retrying' : 'failed';
  return waiting > 0 ? 'waiting' : 'idle';
}

function show(endpointId: string, queue: QueueState, refused: string | null): void {
  const name = nameOf(queue);
  const { waiting, nextAt, consecutiveFailures, lastError } = queue;
  const details = `${name}: ${waiting} waiting, next at ${nextAt ?? 'none'}, ${consecutiveFailures} failures in a row, last error ${lastError ?? 'none'}`;
  setCurrentDetails(refused === null ? details : `${details}\n\nrefused: ${refused}`);
  enter(endpointId, name, queue.siteId);
}

function showFailing(endpointId: string, reason: string): void {
  setCurrentDetails(`failing, retried every 15 s: ${reason}`);
  enter(endpointId, 'failing', null);
}

function enter(endpointId: string, name: string, siteId: string | null): void {
  const { typedSearchAttributes: shown } = workflowInfo();
  if (name === shown.get(searchAttributes.processState)) return;
  upsertSearchAttributes([
    { key: searchAttributes.processState, value: name },
    // A workflow that support started from the CLI has none.
    { key: searchAttributes.endpointId, value: endpointId },
    ...(siteId ? [{ key: searchAttributes.siteId, value: siteId }] : []),
  ]);
}
