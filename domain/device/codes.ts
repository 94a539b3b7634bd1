import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { SecretBox } from '../kernel/secret-box.ts';

/** Letters that are hard to confuse and do not form words (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const form = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** The secret of the device: 256 bits, so that its hash needs no key. */
export const generateDeviceCode = (): string => randomBytes(32).toString('base64url');

export const hashDeviceCode = (code: string): Buffer => createHash('sha256').update(code).digest();

/** The code that a person reads on the device and types: `XXXX-XXXX`, 34 bits, valid for 15 minutes. */
export function generateUserCode(): string {
  let code = '';
  for (let index = 0; index < LENGTH; index += 1) code += ALPHABET[randomInt(ALPHABET.length)];
  return formatUserCode(code);
}

const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/**
 * Normalizes a typed code: dashes, spaces and case are ignored.
 *
 * @returns null if the text cannot be a code
 */
export function readUserCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  return form.test(code) ? formatUserCode(code) : null;
}

/** Keyed, because such a short code could be guessed from a plain hash by a reader of the database. */
export const macUserCode = (box: SecretBox, code: string): Buffer => box.fingerprint(code, PURPOSE);

/** The MACs that a code may be stored under: by the key of its time. */
export const macsOfUserCode = (box: SecretBox, code: string): readonly Buffer[] =>
  box.fingerprints(code, PURPOSE);

const PURPOSE = 'device user code';
