import { z } from 'zod';
import { eventNames } from '../domain/events/catalogue.ts';
import { pauseEndpoint, redeliverEvent, replayBatch } from '../domain/webhooks/support.ts';
import { readQueueState } from '../domain/webhooks/queue.ts';
import type { DeliverySession } from './webhook-endpoint/session.ts';

export interface QueueState {
  /** Whether the endpoint still exists, is enabled, is paused by support. */
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly waiting: number;
  /** When the next attempt is due, ISO 8601, or null. */
  readonly nextAt: string | null;
  /** When an attempt in flight counts as interrupted, ISO 8601, or null. */
  readonly leaseEndsAt: string | null;
  readonly consecutiveFailures: number;
  readonly lastError: string | null;
  /** The endpoint's Site; null once it is deleted. */
  readonly siteId: string | null;
}

export interface ReplayRequest {
  /** Date-times with an offset; `until` defaults to the moment of the request. */
  readonly since: string;
  readonly until?: string;
  readonly events?: readonly string[];
}

/** The position of a replay that takes several batches. */
export interface ReplayPosition {
  readonly createdAt: string;
  readonly eventId: string;
  readonly dueAt: string;
}

/** The outcome of a support request. */
export interface SupportOutcome {
  /** Why it was finally refused. */
  readonly refused?: string;
  /** Where a replay continues, if there is more. */
  readonly next?: ReplayPosition;
}

const replayRequest = z.object({
  since: z.coerce.date(),
  until: z.coerce.date().optional(),
  events: z.array(z.enum(eventNames)).optional(),
});

const replayPosition = z
  .object({ createdAt: z.coerce.date(), eventId: z.string(), dueAt: z.coerce.date() })
  .optional();

/** Wait before a due delivery that cannot be sent yet. A process that can send it signals earlier. */
const HELD_UP_MS = 1_000;
/** The same while no receiver can be reached. */
const HELD_BACK_MS = 10_000;
/** Wait for the workflow to move to another worker when this one is shutting down. */
const HAND_OVER_MS = 500;

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

/**
 * The side effects of webhook delivery. Each is safe to run twice: rows are leased, and attempts are logged under ids
 * assigned before they are made.
 */
export const createWebhookEndpointActivities = (session: DeliverySession) => {
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
      siteId: state?.site_id ?? null,
    };
  };

  const isDue = ({ enabled, paused, nextAt }: QueueState, now: Date): boolean =>
    enabled && !paused && nextAt !== null && Date.parse(nextAt) <= now.getTime();

  return {
    /** Sends due deliveries. @returns the state of the queue afterwards */
    async deliverDue(endpointId: string): Promise<QueueState> {
      const begun = clock.now();
      const sent = await session.run(endpointId);
      const state = await readState(endpointId);
      const again = (afterMs: number): QueueState => ({
        ...state,
        nextAt: new Date(clock.now().getTime() + afterMs).toISOString(),
      });
      // Otherwise the workflow would stay on this worker while anything is due.
      if (session.stopped && isDue(state, clock.now())) return again(HAND_OVER_MS);
      // The rest waits for attempts elsewhere; looking again at once would be a busy loop.
      return !sent && isDue(state, begun) ? again(session.held ? HELD_BACK_MS : HELD_UP_MS) : state;
    },

    /** Redelivers one event. */
    redeliverToEndpoint: (endpointId: string, eventId: string): Promise<SupportOutcome> =>
      orRefused(`redeliver ${eventId}`, endpointId, async () => {
        await db.transaction((tx) => redeliverEvent(tx, endpointId, eventId, clock.now()));
        return {};
      }),

    /** Redelivers missed events, one batch per call. */
    replayToEndpoint: (
      endpointId: string,
      request: ReplayRequest,
      position?: ReplayPosition,
    ): Promise<SupportOutcome> =>
      orRefused('replay', endpointId, async () => {
        const range = replayRequest.parse(request);
        const { next } = await db.transaction((tx) =>
          replayBatch(tx, endpointId, range, replayPosition.parse(position), clock.now()),
        );
        if (next === null) return {};
        return {
          next: {
            createdAt: next.createdAt.toISOString(),
            eventId: next.eventId,
            dueAt: next.dueAt.toISOString(),
          },
        };
      }),

    pauseEndpoint: (endpointId: string, paused: boolean): Promise<SupportOutcome> =>
      orRefused(paused ? 'pause' : 'resume', endpointId, async () => {
        await db.transaction((tx) => pauseEndpoint(tx, endpointId, paused, clock.now()));
        return {};
      }),
  };

  /** A refusal is final. Other errors, such as an unreachable database, are retried. */
  async function orRefused(
    what: string,
    endpointId: string,
    work: () => Promise<SupportOutcome>,
  ): Promise<SupportOutcome> {
    try {
      return await work();
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === null) throw error;
      log.warn({ endpoint_id: endpointId, reason }, `${what}: the signal was refused`);
      return { refused: `${what}: ${reason}` };
    }
  }
};

function refusalOf(error: unknown): string | null {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error && error.name === 'ServiceError' ? error.message : null;
}

export type WebhookEndpointActivities = ReturnType<typeof createWebhookEndpointActivities>;
