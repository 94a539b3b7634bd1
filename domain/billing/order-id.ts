import { hashBody } from '../kernel/idempotency.ts';
import { idOf, newId } from '../kernel/ids.ts';

/**
 * The id of an order, by which the provider recognises a repetition. Requests with the same Idempotency-Key and body
 * have the same one, so that the provider opens one page for all that come at once. The day is in it because a key may
 * be used anew once its record has expired.
 */
export function orderId(siteId: string, key: string | undefined, body: unknown, now: Date): string {
  if (key === undefined) return newId();
  const day = now.toISOString().slice(0, 10);
  return idOf([siteId, key, hashBody(body).toString('hex'), day].join('\n'));
}
