import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { SecretBox } from '../secret-box.ts';

/** Letters that are not taken for each other, and make no words (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const form = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** What a device keeps to itself: 256 bits, so that its hash needs no key. */
export const generateDeviceCode = (): string => randomBytes(32).toString('base64url');

export const hashDeviceCode = (code: string): Buffer => createHash('sha256').update(code).digest();

/** What a person reads on the device and types in: `XXXX-XXXX`, 34 bits that are good for 15 minutes. */
export function generateUserCode(): string {
  let code = '';
  for (let index = 0; index < LENGTH; index += 1) code += ALPHABET[randomInt(ALPHABET.length)];
  return formatUserCode(code);
}

const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/**
 * The code a person meant: dashes and spaces are theirs to choose, and so is the case.
 *
 * @returns null for what can be none
 */
export function readUserCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  return form.test(code) ? formatUserCode(code) : null;
}

/** A plain hash of so short a code could be tried out by whoever reads the database. */
export const macUserCode = (box: SecretBox, code: string): Buffer =>
  box.fingerprint(code, 'device user code');
