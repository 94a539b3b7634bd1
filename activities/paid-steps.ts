import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import { FairSemaphore } from '../runtime/fair-semaphore.ts';
import { withHeartbeat } from './heartbeat.ts';

const PLACE_WAIT_MS = 2_000;

/** Attempts at a step that fails on our side, for example because the database is unavailable: about an hour. */
export const OUR_TRIES = 60;

/**
 * The steps of paid work that a worker does at once, shared among organisations. A step that waits for longer than a moment
 * waits in its workflow, without a slot.
 */
export const createPlaces = (atOnce: number, ofOne: number, waitingOfOne: number): FairSemaphore =>
  new FairSemaphore({
    permits: atOnce,
    tenantPermits: ofOne,
    waiting: atOnce,
    tenantWaiting: waitingOfOne,
    longestWaitMs: PLACE_WAIT_MS,
  });

export interface PaidStep<Outcome> {
  /** The organisation that takes the place. */
  readonly tenant: () => Promise<string>;
  readonly work: () => Promise<Outcome>;
  /** Records that the attempt has ended in order. If that fails, it counts like one whose worker was lost. */
  readonly noteEnd: () => Promise<unknown>;
  /** What becomes of a step that failed, or did not begin because its organisation had no place left. */
  readonly failed: (error: unknown, begun: boolean, attempt: number) => Promise<Outcome>;
}

/**
 * Does a step in a place of its organisation.
 *
 * @throws ApplicationFailure; HandedBack if this worker is shutting down: the step goes to another one, and has not failed
 */
export async function doStep<Outcome>(
  places: FairSemaphore,
  { tenant, work, noteEnd, failed }: PaidStep<Outcome>,
): Promise<Outcome> {
  const { cancellationSignal: signal, info } = Context.current();
  let begun = false;
  const begin = (): Promise<Outcome> => {
    begun = true;
    return work();
  };
  try {
    return await withHeartbeat(async () => places.run(await tenant(), begin, { signal }));
  } catch (error) {
    if (!signal.aborted) return failed(error, begun, info.attempt);
    if (begun) await noteEnd();
    throw ApplicationFailure.create({
      message: 'the worker ended.',
      type: 'HandedBack',
      nonRetryable: false,
    });
  }
}

/** Records the end of an attempt; null if that failed. */
export async function noted<T>(log: Logger, ids: object, write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    log.warn({ err: error, ...ids }, 'the end of an attempt could not be recorded');
    return null;
  }
}

/** @param type by which people see in Temporal what failed */
export const ourFailure = (type: 'StageError' | 'StepError', isFinal: boolean): ApplicationFailure =>
  ApplicationFailure.create({ message: 'something failed on our side.', type, nonRetryable: isFinal });
