import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/kernel/clock.ts';
import { findOverdueEndpoints } from '../domain/webhooks/overdue.ts';
import type { OverdueEndpoint } from '../domain/webhooks/overdue.ts';
import type { Peers } from './peers.ts';

interface WakerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of all workers, which one takes an endpoint. */
  readonly peers: Pick<Peers, 'refresh' | 'takes'>;
}

/** Poll interval, for deliveries without a NOTIFY and for retries without a workflow. */
const POLL_MS = 1_000;
const GRACE_MS = 1_000;
/** After this long an endpoint is no longer left to the worker that ought to have taken it. */
const OTHERS_GRACE_MS = 3_000;

/**
 * Wakes endpoints with due deliveries: those that a NOTIFY names, and those that a poll finds. Each is taken by one of
 * the workers. The queue's rows are the outbox, committed with their event, so a lost NOTIFY only makes a delivery late.
 *
 * @param wake sends the due deliveries of an endpoint, after logging interrupted attempts
 */
export function startWaker(
  { db, clock, log, peers }: WakerPorts,
  wake: (endpointId: string, interrupted: boolean) => void,
) {
  /** A poll reads a limited number of endpoints; the next one continues after them. */
  let lookFrom: string | null = null;
  let polledAt = performance.now();
  /** Others' endpoints are left to them unless nothing happens there. */
  const isOurs = ({ id, since, interrupted, in_flight: inFlight }: OverdueEndpoint, now: Date): boolean =>
    peers.takes(id) || (now.getTime() - since.getTime() > OTHERS_GRACE_MS && (interrupted || !inFlight));
  const wakeOverdue = async (): Promise<void> => {
    try {
      await peers.refresh();
      const now = clock.now();
      const { endpoints, next } = await findOverdueEndpoints(db, now, GRACE_MS, lookFrom);
      lookFrom = next;
      for (const endpoint of endpoints) if (isOurs(endpoint, now)) wake(endpoint.id, endpoint.interrupted);
    } catch (error) {
      log.warn({ err: error }, 'endpoints with overdue deliveries could not be looked up');
    } finally {
      polledAt = performance.now();
    }
  };
  const poll = setInterval(() => void wakeOverdue(), POLL_MS);
  return {
    /** @param payload of a NOTIFY: endpoint ids, separated by commas */
    notified(payload: string): void {
      for (const endpointId of payload.split(','))
        if (endpointId !== '' && peers.takes(endpointId)) wake(endpointId, false);
    },
    /** Milliseconds since a poll last ended, whether or not it succeeded. */
    idleMs: () => performance.now() - polledAt,
    /** Stops polling. */
    stop: () => clearInterval(poll),
  };
}
