import { createHash, randomBytes } from 'node:crypto';
import { sql } from '../../db/sql.ts';

/** The secret of a session, or of a link: 256 bits, so that its stored hash needs no key. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): ReturnType<typeof sql.binary> =>
  sql.binary(createHash('sha256').update(token).digest());

const form = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => form.test(text);
