import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import type { SecretBox } from '../../domain/kernel/secret-box.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import type { Bodies } from './bodies.ts';
import { webhookRequest } from '../../adapters/http/webhook-request.ts';
import { inTraceOf } from '../../observability/tracing/trace.ts';

export interface AttemptPorts {
  readonly db: Database;
  readonly http: GuardedClient;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly bodies: Bodies;
}

/** The turn of an attempt. Attempts begin in the order of their claims, although a large body takes time to read. */
export interface Turn {
  /** Resolves when the previous attempt has begun, or will not be made. */
  readonly before: Promise<void>;
  readonly begin: () => void;
  /** Whether it may still begin: not after the failure that disables the endpoint. */
  readonly mayBegin: () => boolean;
}

/**
 * Makes one HTTP attempt: the stored bytes, freshly signed, under the attempt's own id. A network failure is a result.
 *
 * @returns null if it was not made: the endpoint is about to be disabled, no DNS look-up slot came free, or the event is
 *   no longer stored
 */
export const attempt = (
  ports: AttemptPorts,
  endpointId: string,
  delivery: ClaimedDelivery,
  turn: Turn,
): Promise<DeliveryResult | null> =>
  ports.bodies.use(ports.db, delivery, async (body) => {
    await turn.before;
    if (body === null || !turn.mayBegin()) return null;
    turn.begin();
    return send(ports, endpointId, delivery, body);
  });

async function send(
  { http, box, clock }: AttemptPorts,
  endpointId: string,
  delivery: ClaimedDelivery,
  body: Buffer,
): Promise<DeliveryResult | null> {
  const attemptedAt = clock.now();
  const request = webhookRequest({
    url: delivery.url,
    body,
    event: delivery.event,
    eventId: delivery.event_id,
    id: delivery.delivery_id,
    attempt: delivery.attempt,
    at: attemptedAt,
    secret: box.open(delivery.secret, endpointId),
  });
  const span = {
    name: 'deliver webhook',
    kind: 'consumer',
    attributes: {
      site_id: delivery.site_id,
      endpoint_id: endpointId,
      event_id: delivery.event_id,
      delivery_id: delivery.delivery_id,
      attempt: delivery.attempt,
    },
  } as const;
  // An endpoint's workflow sends for many requests: an attempt belongs to the trace of the request that made its event.
  const result = await inTraceOf(delivery.traceparent, span, () =>
    http.request({ ...request, isolationKey: delivery.site_id }),
  );
  if (result.outcome === 'failure' && result.ours) return null;
  const status = result.status ?? null;
  const succeeded = result.outcome === 'response' && result.status >= 200 && result.status <= 299;
  return {
    delivery,
    succeeded,
    responseStatus: status,
    error: result.outcome === 'failure' ? result.error : null,
    durationMs: result.durationMs,
    attemptedAt,
  };
}
