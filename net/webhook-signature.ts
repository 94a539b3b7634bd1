import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of `Service-Signature`: `v1=` and the HMAC-SHA256, in hex, of `<timestamp>.<raw body>` (specification, Events).
 *
 * @param rawBody the bytes as they are sent
 * @param timestampSeconds the value of `Service-Timestamp`, in Unix seconds
 * @param secret the endpoint's whole secret, `whsec_` included
 */
export function signWebhook(rawBody: Uint8Array | string, timestampSeconds: number, secret: string): string {
  return signatureOf(rawBody, String(timestampSeconds), secret);
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookVerification =
  | { ok: true }
  | {
      ok: false;
      reason:
        | 'missing_signature'
        | 'malformed_signature'
        | 'missing_timestamp'
        | 'malformed_timestamp'
        | 'timestamp_out_of_tolerance'
        | 'signature_mismatch';
    };

export interface VerifyOptions {
  /** The present, for tests. */
  now?: Date;
  /** How far the timestamp may lie in the past or future, in seconds. */
  toleranceSeconds?: number;
}

/**
 * For receivers: whether a delivery comes from the service, unchanged and recent (specification, Events). Call it with
 * the body as received, before any parsing, and refuse the delivery unless the answer is `ok`.
 *
 * @param headers the request's headers, in any case: a `Headers`, or a record such as `request.headers` of node:http
 * @param secret the endpoint's whole secret, `whsec_` included
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string,
  { now = new Date(), toleranceSeconds = 300 }: VerifyOptions = {},
): WebhookVerification {
  const signature = headerOf(headers, 'service-signature');
  if (signature === undefined) return { ok: false, reason: 'missing_signature' };
  if (typeof signature !== 'string' || !/^v1=[0-9a-f]{64}$/.test(signature)) {
    return { ok: false, reason: 'malformed_signature' };
  }
  const timestamp = headerOf(headers, 'service-timestamp');
  if (timestamp === undefined) return { ok: false, reason: 'missing_timestamp' };
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) {
    return { ok: false, reason: 'malformed_timestamp' };
  }
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    return { ok: false, reason: 'timestamp_out_of_tolerance' };
  }
  const expected = signatureOf(rawBody, timestamp, secret);
  const equal = timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  return equal ? { ok: true } : { ok: false, reason: 'signature_mismatch' };
}

function signatureOf(rawBody: Uint8Array | string, timestamp: string, secret: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex')}`;
}

function headerOf(headers: WebhookHeaders, name: string): string | readonly string[] | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : headers[found];
}
