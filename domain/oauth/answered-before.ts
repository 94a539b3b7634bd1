import { hkdfSync } from 'node:crypto';
import { createSecretBox } from '../kernel/secret-box.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Issued } from './exchange.ts';
import type { Grant } from './grant.ts';
import { isHashOf } from './tokens.ts';

/** How long a refresh is answered again: for two sessions of one client, and for an answer that was lost. */
const AGAIN_MS = 30_000;

/** Only who has the refresh token can read its answer: neither the database nor ENCRYPTION_KEY is enough. */
const boxOf = (secret: string): SecretBox =>
  createSecretBox(Buffer.from(hkdfSync('sha256', secret, '', 'answer to a refresh', 32)));

/** @param secret the part of the refresh token that changes */
export const sealAnswer = (grant: Grant, secret: string, answer: Issued): Buffer =>
  boxOf(secret).seal(JSON.stringify(answer), grant.id);

/** The recent answer to a refresh token; null if it is another token, or too long ago. */
export function answeredBefore(grant: Grant, secret: string, now: Date): Issued | null {
  const { id, replaced_hash: hash, replaced_at: at, sealed_answer: sealed } = grant;
  if (hash === null || at === null || sealed === null || !isHashOf(secret, hash)) return null;
  if (now.getTime() - at.getTime() >= AGAIN_MS) return null;
  return JSON.parse(boxOf(secret).open(sealed, id)) as Issued;
}
