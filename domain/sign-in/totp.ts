import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds for which a code is shown. */
const PERIOD_S = 30;
/** Codes that are accepted before and after the current one, for clocks that differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** A new secret, in base32, as people can type it into an app. */
export const generateTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totp = (secret: string, email = ''): TOTP =>
  new TOTP({ issuer: 'Presswork', label: email, secret: Secret.fromBase32(secret), period: PERIOD_S });

/** The address that hands a secret to an app, as a QR code shows it. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

/** The time step of a code (RFC 6238); null for a wrong one. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD_S) + delta;
}

/** Letters and digits that are hard to confuse, 32 of them. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
const recoveryForm = new RegExp(`^[${ALPHABET}]{${RECOVERY_LENGTH}}$`);

/** New codes for a lost second factor: 80 bits each, so that their hashes need no key. */
export const generateRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    return letters.join('').replaceAll(/.{4}(?!$)/g, '$&-');
  });

/** A typed code: dashes, spaces and case are ignored. */
export type TypedCode =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery'; readonly hash: Buffer };

/** @returns null if the text cannot be a code */
export function readCode(typed: string): TypedCode | null {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  return recoveryForm.test(code) ? { kind: 'recovery', hash: hashRecoveryCode(code) } : null;
}

/** @param code as it is shown, or without dashes */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(code.replaceAll('-', '')).digest();
