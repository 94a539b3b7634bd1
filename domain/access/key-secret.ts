import { hash, randomInt } from 'node:crypto';
import { checksum, isWellFormedSecret, keyDigits } from '../../packages/base/key-form.ts';

export type KeyKind = 'publishable' | 'secret';

export const keyPrefixes = { publishable: 'svc_pub_', secret: 'svc_sk_' } as const satisfies Record<
  KeyKind,
  string
>;

/**
 * A new secret: kind prefix, 32 characters base62 from a CSPRNG, and 6 characters base62 of the CRC-32 of all that, so
 * that a scanner can recognise a secret offline (docs/spec/rulings.md, 2).
 */
export function generateSecret(kind: KeyKind): string {
  let secret: string = keyPrefixes[kind];
  for (let index = 0; index < 32; index += 1) secret += keyDigits[randomInt(keyDigits.length)];
  return secret + checksum(secret);
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
