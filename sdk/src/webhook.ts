import { PressworkError } from './error.ts';
import type { WebhookEvent } from './generated/schemas.ts';

export interface VerifyOptions {
  /** How far the timestamp may be in the past or future, in seconds; 300 by default. */
  readonly tolerance?: number | undefined;
  /** The current time, for tests. */
  readonly now?: Date | undefined;
}

/** A `Headers`, or a record such as the `headers` of a request of node:http, with names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A signature scheme: the text that is signed before the body, with which key, and the signatures in its header. */
interface Scheme {
  readonly header: string;
  readonly timestamp: string;
  readonly prefix: (header: (name: string) => string, timestamp: string) => string;
  readonly key: (secret: string) => Uint8Array<ArrayBuffer>;
  readonly signatures: (value: string) => Uint8Array<ArrayBuffer>[];
}

/** Strangers write the header, and each signature costs an HMAC of the body. A rotation needs two. */
const MAX_SIGNATURES = 10;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const schemes: readonly Scheme[] = [
  {
    header: 'service-signature',
    timestamp: 'service-timestamp',
    prefix: (_, timestamp) => `${timestamp}.`,
    key: utf8,
    signatures: (value) =>
      /^v1=[0-9a-f]{64}$/.test(value)
        ? [Uint8Array.from(value.slice(3).match(/../g) ?? [], (byte) => parseInt(byte, 16))]
        : [],
  },
  {
    // Standard Webhooks: after a change of the secret there may be several.
    header: 'webhook-signature',
    timestamp: 'webhook-timestamp',
    prefix: (header, timestamp) => `${header('webhook-id')}.${timestamp}.`,
    key: (secret) => fromBase64(secret.replace(/^whsec_/, '')),
    signatures: (value) =>
      value
        .split(' ')
        .filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each))
        .slice(0, MAX_SIGNATURES)
        .map((each) => fromBase64(each.slice(3))),
  },
];

/**
 * Verifies that a delivery comes from the service, is unchanged and recent. Call it with the body as it was received,
 * before any parsing, and refuse the delivery if it throws. Each signature scheme that is present has to be valid.
 *
 * @param secret the endpoint's whole secret with `whsec_`, or several while it is being rotated
 * @throws PressworkError with the code INVALID_WEBHOOK
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = readerOf(headers);
  const secrets = secretsOf(secret);
  const bytes = bytesOf(body);
  const present = schemes.filter((scheme) => header(scheme.header) !== undefined);
  if (present.length === 0) throw invalid('it has no signature');
  for (const scheme of present) {
    const timestamp = required(header, scheme.timestamp);
    if (!/^\d{1,12}$/.test(timestamp)) throw invalid(`${scheme.timestamp} is malformed`);
    // A tolerance of NaN refuses, too.
    if (!(Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= tolerance)) {
      throw invalid(`${scheme.timestamp} is more than ${tolerance} s away`);
    }
    const prefix = utf8(scheme.prefix((name) => required(header, name), timestamp));
    const signed = new Uint8Array(prefix.length + bytes.length);
    signed.set(prefix);
    signed.set(bytes, prefix.length);
    const signatures = scheme.signatures(required(header, scheme.header));
    if (signatures.length === 0) throw invalid(`${scheme.header} is malformed`);
    if (!(await isSigned(signed, signatures, secrets.map(scheme.key)))) {
      throw invalid(`${scheme.header} does not match`);
    }
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch (cause) {
    throw invalid('its body is not JSON', cause);
  }
}

/** @throws PressworkError for a variable of the environment that is not set */
function secretsOf(given: string | readonly string[]): readonly string[] {
  const all: readonly unknown[] = typeof given === 'object' && given !== null ? given : [given];
  const known = all.filter((each) => typeof each === 'string' && each !== '') as string[];
  if (known.length === 0 && all.length > 0)
    throw invalid('the secret is not set; pass that of the endpoint, with whsec_');
  return known;
}

/** @throws PressworkError for what a framework made of the body */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // Also one of another realm.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw invalid(
    `the body is ${kindOf(body)}; pass the raw body, as text or bytes, before anything parses it`,
  );
}

function kindOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body).slice(0, 20);
  return 'pipe' in body || 'getReader' in body ? 'a stream' : 'a parsed object';
}

const invalid = (reason: string, cause?: unknown): PressworkError =>
  new PressworkError('INVALID_WEBHOOK', `The delivery is refused: ${reason}.`, { cause });

/** In constant time for each pair, by WebCrypto. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    // WebCrypto refuses an empty key.
    if (bytes.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

/** Also those of another realm or package. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers['get'] === 'function';

/** A repeated header counts as malformed. */
function readerOf(headers: WebhookHeaders): (name: string) => string | undefined {
  const entries = isHeaders(headers) ? [...headers] : Object.entries(headers);
  const lower = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = lower.get(name);
    return typeof value === 'object' ? value.join(', ') : value;
  };
}

function required(header: (name: string) => string | undefined, name: string): string {
  const value = header(name);
  if (value === undefined) throw invalid(`it has no ${name}`);
  return value;
}

/** Base64 or base64url; other characters are skipped, as Node does. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const standard = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z0-9+/]/g, '');
  const whole = standard.length % 4 === 1 ? standard.slice(0, -1) : standard;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
