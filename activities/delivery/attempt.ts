import type { Clock } from '../../domain/clock.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import type { GuardedClient } from '../../net/guarded-client.ts';
import { webhookRequest } from '../../net/webhook-request.ts';
import { inTraceOf } from '../../tracing/trace.ts';

export interface AttemptPorts {
  readonly http: GuardedClient;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** Makes one HTTP attempt: the stored bytes, signed anew, under the attempt's own id. Whatever the network does is a result. */
export async function attempt(
  { http, box, clock }: AttemptPorts,
  endpointId: string,
  delivery: ClaimedDelivery,
): Promise<DeliveryResult> {
  const attemptedAt = clock.now();
  const request = webhookRequest({
    url: delivery.url,
    body: delivery.body,
    event: delivery.event,
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
  // The process of an endpoint sends for many requests: an attempt belongs to the trace of the one that made its event.
  const result = await inTraceOf(delivery.traceparent, span, () =>
    http.request({ ...request, isolationKey: delivery.site_id }),
  );
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
