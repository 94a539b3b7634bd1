import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const token = /^[A-Za-z0-9_-]{43}$/;
const refreshToken = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** 256 bits, so that a stored hash needs no key. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a text has the form of a code, or of a challenge made with S256. */
export const isToken = (text: string): boolean => token.test(text);

/**
 * The two parts of a refresh token. The first stays the same for all tokens of a grant, so that an old one is recognised
 * without a list of them; the second is new each time.
 */
export interface RefreshToken {
  readonly family: string;
  readonly secret: string;
}

export const writeRefreshToken = ({ family, secret }: RefreshToken): string => `${family}.${secret}`;

/** @returns null if the text cannot be a refresh token */
export function readRefreshToken(text: string): RefreshToken | null {
  const [, family, secret] = refreshToken.exec(text) ?? [];
  return family === undefined || secret === undefined ? null : { family, secret };
}

export const isHashOf = (text: string, hash: Buffer): boolean => timingSafeEqual(hashToken(text), hash);

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a PKCE verifier belongs to a challenge made with S256 (RFC 7636, 4.6). */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  verifierForm.test(verifier) && timingSafeEqual(hashToken(verifier), Buffer.from(challenge, 'base64url'));
