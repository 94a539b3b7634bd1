import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyKind = 'publishable' | 'secret';

export const keyPrefixes = { publishable: 'svc_pub_', secret: 'svc_sk_' } as const satisfies Record<
  KeyKind,
  string
>;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(?:svc_pub_|svc_sk_)[0-9A-Za-z]{38}$/;
const CHECKSUM_LENGTH = 6;

/**
 * A new secret: kind prefix, 32 characters base62 from a CSPRNG, 6 characters base62 of CRC-32 over what
 * precedes, so that a scanner can recognise one offline (decisions 2).
 */
export function generateSecret(kind: KeyKind): string {
  let secret: string = keyPrefixes[kind];
  for (let index = 0; index < 32; index += 1) secret += digits[randomInt(digits.length)];
  return secret + checksum(secret);
}

/** Whether a string has the form and checksum of a secret of ours. Says nothing of whether the key exists. */
export function isWellFormedSecret(candidate: string): boolean {
  return (
    form.test(candidate) &&
    checksum(candidate.slice(0, -CHECKSUM_LENGTH)) === candidate.slice(-CHECKSUM_LENGTH)
  );
}

/** The hash of what may be a secret of ours; null for what cannot be one, by its form or checksum. */
export const hashWellFormed = (candidate: string): Buffer | null =>
  isWellFormedSecret(candidate) ? hashSecret(candidate) : null;

/** SHA-256 of the whole secret: all that is stored of it. The secret's 190 bits need no slow hash. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** The only fragment of a secret that may be shown: kind prefix and the first 6 characters. */
export function displayPrefix(secret: string): string {
  const kind = secret.startsWith(keyPrefixes.publishable) ? keyPrefixes.publishable : keyPrefixes.secret;
  return secret.slice(0, kind.length + 6);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    encoded = digits[rest % digits.length] + encoded;
    rest = Math.floor(rest / digits.length);
  }
  return encoded;
}
