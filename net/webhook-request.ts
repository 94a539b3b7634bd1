import type { GuardedRequest } from './guarded-client.ts';
import { signWebhook } from './webhook-signature.ts';

export interface WebhookAttempt {
  readonly url: string;
  /** The event as it was made at commit; these bytes are signed and sent. */
  readonly body: string;
  readonly event: string;
  /** Id of this attempt. */
  readonly id: string;
  /** Its number, from 1. */
  readonly attempt: number;
  readonly at: Date;
  readonly secret: string;
}

/** What a receiver has to answer (specification, Delivery and retry rules). */
const TIMEOUT_MS = 10_000;

/** The request of one attempt to deliver an event (specification, Delivery headers). */
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
    },
    body,
    timeoutMs: TIMEOUT_MS,
    redirects: 1,
    readBody: false,
  };
}
