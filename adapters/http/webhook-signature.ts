import { createHmac } from 'node:crypto';

/**
 * The value of `Service-Signature`: `v1=` and the HMAC-SHA256, in hex, of `<timestamp>.<raw body>`
 * (docs/spec/service-api.md, Verification).
 *
 * @param rawBody the bytes as sent
 * @param timestampSeconds the value of `Service-Timestamp`, in Unix seconds
 * @param secret the endpoint's whole secret, `whsec_` included
 */
export function signWebhook(rawBody: Uint8Array | string, timestampSeconds: number, secret: string): string {
  const mac = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(rawBody);
  return `v1=${mac.digest('hex')}`;
}

/**
 * The value of `webhook-signature` by Standard Webhooks: `v1,` and the HMAC-SHA256, in base64, of
 * `<event id>.<timestamp>.<raw body>`. Its key is the content of the secret after `whsec_` (docs/spec/rulings.md, 14).
 *
 * @param eventId the value of `webhook-id`
 */
export function signStandardWebhook(
  rawBody: Uint8Array | string,
  eventId: string,
  timestampSeconds: number,
  secret: string,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.`).update(rawBody);
  return `v1,${mac.digest('base64')}`;
}
