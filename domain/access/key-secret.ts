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
 * A new secret: kind prefix, 32 characters base62 from a CSPRNG, and 6 characters base62 of the CRC-32 of all that, so
 * that a scanner can recognise a secret offline (docs/spec/rulings.md, 2).
 */
export function generateSecret(kind: KeyKind): string {
  let secret: string = keyPrefixes[kind];
  for (let index = 0; index < 32; index += 1) secret += digits[randomInt(digits.length)];
  return secret + checksum(secret);
}

/** Whether a string has the form and checksum of one of our secrets. Does not say whether the key exists. */
export function isWellFormedSecret(candidate: string): boolean {
  return (
    form.test(candidate) &&
    checksum(candidate.slice(0, -CHECKSUM_LENGTH)) === candidate.slice(-CHECKSUM_LENGTH)
  );
}

/** The hash of a possible secret; null if form or checksum are wrong. */
export const hashWellFormed = (candidate: string): Buffer | null =>
  isWellFormedSecret(candidate) ? hashSecret(candidate) : null;

/**
 * SHA-256 of the whole secret, and all that is stored of it. With 190 bits of entropy, the secret needs no slow hash.
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** The only fragment of a secret that may be shown: the kind prefix and the next 6 characters. */
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
