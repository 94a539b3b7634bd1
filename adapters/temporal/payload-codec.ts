import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';

/** Marks an encrypted payload. The UI and other SDKs know the word too. */
const ENCODING = 'binary/encrypted';
const NONCE = 12;
const TAG = 16;

/** A payload as JSON, as codec servers send and get it: bytes are in base64. */
export interface PayloadJson {
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly data?: string | null | undefined;
}

export const toJson = ({ metadata, data }: Payload): PayloadJson => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)])),
  data: base64(data ?? new Uint8Array()),
});

export const fromJson = ({ metadata, data }: PayloadJson): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
  ),
  data: Buffer.from(data ?? '', 'base64'),
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const encodingOf = ({ metadata }: Payload): string => Buffer.from(metadata?.['encoding'] ?? []).toString();

/** Names a key without telling anything about it. */
const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

/**
 * Encrypts the payloads of workflows: input, results, signals, details. Payloads that are not encrypted pass, so
 * that workflows that were started without a key go on.
 *
 * @param keys 32 bytes each, of AES-256-GCM; the first one encrypts, all decrypt
 */
export function createPayloadCodec(keys: readonly Buffer[]): PayloadCodec {
  const [newest] = keys;
  if (newest === undefined) throw new TypeError('needs a key');
  const known = new Map(keys.map((key) => [idOf(key), key]));
  const newestId = idOf(newest);
  return {
    async encode(payloads) {
      return payloads.map((payload) =>
        encodingOf(payload) === ENCODING ? payload : seal(payload, newestId, newest),
      );
    },
    async decode(payloads) {
      return payloads.map((payload) => {
        if (encodingOf(payload) !== ENCODING) return payload;
        const id = Buffer.from(payload.metadata?.['encryption-key-id'] ?? []).toString();
        const key = known.get(id);
        if (key === undefined) throw new Error(`TEMPORAL_ENCRYPTION_KEY: has no key with the id ${id}`);
        return open(payload, id, key);
      });
    },
  };
}

function seal(payload: Payload, id: string, key: Buffer): Payload {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
  const text = Buffer.concat([cipher.update(JSON.stringify(toJson(payload))), cipher.final()]);
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(id) },
    data: Buffer.concat([nonce, text, cipher.getAuthTag()]),
  };
}

/** @returns the payload unchanged if it was tampered with: no key reads it, and the workflow shows that and continues */
function open(payload: Payload, id: string, key: Buffer): Payload {
  const data = Buffer.from(payload.data ?? []);
  try {
    const nonce = data.subarray(0, NONCE);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
    decipher.setAAD(Buffer.from(id)).setAuthTag(data.subarray(-TAG));
    const text = Buffer.concat([decipher.update(data.subarray(NONCE, -TAG)), decipher.final()]);
    return fromJson(JSON.parse(text.toString()) as PayloadJson);
  } catch {
    return payload;
  }
}
