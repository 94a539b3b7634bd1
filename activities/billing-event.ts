import { findEvent, markHandled } from '../domain/billing/event.ts';
import type { StoredEvent } from '../domain/billing/event.ts';
import { handlePayment, handleSubscription } from '../domain/billing/handle-event.ts';
import { creditsMoved, eventHandled } from '../observability/metrics/billing.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** A third of the time after which a worker counts as dead. */
export const HEARTBEAT_MS = 3_000;

export type EventOutcome = 'handled' | 'ignored' | 'gone';

/** The side effects of events. Each is safe to run twice: the stored rows decide about the rest. */
export function createBillingEventActivities(ports: Pick<Ports, 'db' | 'clock' | 'log' | 'payments'>) {
  const { db, clock, log, payments } = ports;

  async function handle(event: StoredEvent): Promise<boolean> {
    const { facts } = event;
    if (facts === null) return false;
    if (payments === null) throw new Error('STRIPE_SECRET_KEY is not set for this worker');
    const needed = { db, ...payments };
    if (facts.about === 'subscription') return handleSubscription(needed, event, facts, clock.now());
    const movements = await handlePayment(needed, facts, clock.now());
    for (const movement of movements ?? []) {
      creditsMoved(movement);
      log.info({ event_id: event.id, ...movement }, 'credits moved with a payment');
    }
    return movements !== null;
  }

  return {
    handleBillingEvent(eventId: string): Promise<EventOutcome> {
      return withHeartbeat(async () => {
        const event = await findEvent(db, eventId);
        if (event === null) return 'gone';
        if (event.handled_at !== null) return 'handled';
        const ours = await handle(event);
        await markHandled(db, eventId, clock.now());
        eventHandled(ours);
        return ours ? 'handled' : 'ignored';
      }, HEARTBEAT_MS);
    },
  };
}

export type BillingEventActivities = ReturnType<typeof createBillingEventActivities>;
