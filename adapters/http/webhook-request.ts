import type { GuardedRequest } from './guarded-client.ts';
import { signStandardWebhook, signWebhook } from './webhook-signature.ts';

export interface WebhookAttempt {
  readonly url: string;
  /** The event's body as committed; these bytes are signed and sent. */
  readonly body: Buffer | string;
  readonly event: string;
  readonly eventId: string;
  /** Id of this attempt. */
  readonly id: string;
  /** Its number, from 1. */
  readonly attempt: number;
  readonly at: Date;
  readonly secret: string;
}

/** Time for a receiver to answer (docs/spec/service-api.md, Delivery and retry rules). */
const TIMEOUT_MS = 10_000;

/**
 * The request of one attempt to deliver an event (docs/spec/service-api.md, Delivery headers), signed also by
 * Standard Webhooks (docs/spec/rulings.md, 14).
 */
export function webhookRequest(attempt: WebhookAttempt): Omit<GuardedRequest, 'isolationKey'> {
  const { url, body, at, secret } = attempt;
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'svc-webhook/1',
      'Service-Signature': signWebhook(body, timestamp, secret),
      'Service-Timestamp': String(timestamp),
      'Service-Delivery': attempt.id,
      'Service-Attempt': String(attempt.attempt),
      'Service-Event': attempt.event,
      'webhook-id': attempt.eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhook(body, attempt.eventId, timestamp, secret),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    redirects: 1,
    readBody: false,
  };
}
