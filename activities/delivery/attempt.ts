import type { Clock } from '../../domain/clock.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/queue.ts';
import type { DeliveryResult } from '../../domain/webhooks/results.ts';
import type { GuardedClient } from '../../net/guarded-client.ts';
import { signWebhook } from '../../net/webhook-signature.ts';

export interface AttemptPorts {
  readonly http: GuardedClient;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** What a receiver has to answer (specification, Delivery and retry rules). */
const TIMEOUT_MS = 10_000;

/** Makes one HTTP attempt: the stored bytes, signed anew, under the attempt's own id. Never rejects. */
export async function attempt(
  { http, box, clock }: AttemptPorts,
  endpointId: string,
  delivery: ClaimedDelivery,
): Promise<DeliveryResult> {
  const attemptedAt = clock.now();
  const timestamp = Math.floor(attemptedAt.getTime() / 1000);
  const result = await http.request({
    url: delivery.url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'svc-webhook/1',
      'Service-Signature': signWebhook(delivery.body, timestamp, box.open(delivery.secret, endpointId)),
      'Service-Timestamp': String(timestamp),
      'Service-Delivery': delivery.delivery_id,
      'Service-Attempt': String(delivery.attempt),
      'Service-Event': delivery.event,
    },
    body: delivery.body,
    timeoutMs: TIMEOUT_MS,
    redirects: 1,
    isolationKey: delivery.site_id,
    readBody: false,
  });
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
