import { z } from 'zod';
import { eventNames } from '../domain/events.ts';
import { redeliverEvent, replay } from '../domain/webhooks/again.ts';
import { findEndpointForChange } from '../domain/webhooks/endpoint.ts';
import { readQueueState, setPaused } from '../domain/webhooks/queue.ts';
import type { DeliverySession } from './delivery/session.ts';

export interface QueueState {
  /** Whether the endpoint still exists, is enabled, is paused by support. */
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly waiting: number;
  /** When there is something to do next, ISO 8601, or null. */
  readonly nextAt: string | null;
  /** When an attempt under way counts as interrupted, ISO 8601, or null. Older workers did not tell it. */
  readonly leaseEndsAt?: string | null;
  readonly consecutiveFailures: number;
  readonly lastError: string | null;
}

export interface ReplayRequest {
  readonly since: string;
  readonly until?: string;
  readonly events?: readonly string[];
}

const replayRequest = z.object({
  since: z.coerce.date(),
  until: z.coerce.date().optional(),
  events: z.array(z.enum(eventNames)).optional(),
});

/** How long what is due and cannot be sent yet is left alone; whoever can send it says so earlier. */
const HELD_UP_MS = 1_000;
/** After this a process goes on that was at a worker which is about to end: by then another one has it. */
const HAND_OVER_MS = 500;

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

/**
 * The side effects of webhook delivery. Each is safe to run twice: rows are leased, attempts are logged under
 * ids that were given before they were made.
 */
export const createDeliveryActivities = (session: DeliverySession) => {
  const { db, clock, log } = session.ports;

  const readState = async (endpointId: string): Promise<QueueState> => {
    const state = await readQueueState(db, endpointId);
    return {
      exists: state !== null,
      enabled: state?.enabled ?? false,
      paused: state?.paused ?? false,
      waiting: state?.waiting ?? 0,
      nextAt: earlier(state?.due_at ?? null, state?.lease_ends_at ?? null)?.toISOString() ?? null,
      leaseEndsAt: state?.lease_ends_at?.toISOString() ?? null,
      consecutiveFailures: state?.consecutive_failures ?? 0,
      lastError: state?.last_error ?? null,
    };
  };

  const isDue = ({ enabled, paused, nextAt }: QueueState, now: Date): boolean =>
    enabled && !paused && nextAt !== null && Date.parse(nextAt) <= now.getTime();

  return {
    /** Sends what is due, and says what waits afterwards. */
    async deliverDue(endpointId: string): Promise<QueueState> {
      const begun = clock.now();
      const sent = await session.run(endpointId);
      const state = await readState(endpointId);
      const again = (afterMs: number): QueueState => ({
        ...state,
        nextAt: new Date(clock.now().getTime() + afterMs).toISOString(),
      });
      // Otherwise the process would not let go of this worker while anything is due.
      if (session.stopped && isDue(state, clock.now())) return again(HAND_OVER_MS);
      // It waits for attempts elsewhere: to look again at once would be a busy loop.
      return !sent && isDue(state, begun) ? again(HELD_UP_MS) : state;
    },

    /** Sends one event again. What cannot be done is logged: nobody waits for the answer to a signal. */
    async redeliverToEndpoint(endpointId: string, eventId: string): Promise<void> {
      await orLog(`redeliver ${eventId}`, endpointId, async () => {
        await db.transaction(async (tx) => {
          const endpoint = await findEndpointForChange(tx, endpointId);
          if (endpoint) await redeliverEvent(tx, endpoint, eventId, clock.now());
        });
      });
    },

    /** Sends again what the endpoint missed. */
    async replayToEndpoint(endpointId: string, request: ReplayRequest): Promise<void> {
      await orLog('replay', endpointId, async () => {
        const range = replayRequest.parse(request);
        await db.transaction(async (tx) => {
          const endpoint = await findEndpointForChange(tx, endpointId);
          if (endpoint) await replay(tx, endpoint, range, clock.now());
        });
      });
    },

    pauseEndpoint: (endpointId: string, paused: boolean): Promise<void> => setPaused(db, endpointId, paused),
  };

  /** A refusal is final and told in the log; an unreachable database is tried again. */
  async function orLog(what: string, endpointId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const refused = error instanceof Error && (error.name === 'ServiceError' || error.name === 'ZodError');
      if (!refused) throw error;
      log.warn(
        { endpoint_id: endpointId, reason: error.message },
        `${what} was asked for by signal and refused`,
      );
    }
  }
};

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
