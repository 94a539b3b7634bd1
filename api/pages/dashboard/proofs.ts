import { z } from 'zod';
import { countOwnProof } from '../../../domain/sign-in/attempts.ts';
import { recordFailedSignIn } from '../../../domain/sign-in/audit.ts';
import { proveOwnPassword } from '../../../domain/sign-in/passwords.ts';
import { wrongCode } from '../../../domain/sign-in/second-factor.ts';
import type { Credential } from '../../../domain/sign-in/passwords.ts';
import { ServiceError, validationFailed } from '../../../domain/kernel/errors.ts';
import { clientGone } from '../../http/client-gone.ts';
import type { Asked } from './route.ts';

/** A password as it is typed. */
export const Password = z.string().min(1).max(2_000);

/** A code as it is typed. */
export const Code = z.string().min(1).max(100);

/** Whether an error says that a proof was wrong. */
const isWrongProof = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.fields?.['current_password'] ?? error.fields?.['code']) !== undefined;

/**
 * Does work that takes a proof of identity, by a password or a code. Wrong ones count, and nothing else: not a new password
 * that is refused, nor what could not be done because the service is busy.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function proving<T>(
  { ports, session, now }: Asked<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const takeBack = await countOwnProof(ports.db, session.id, now);
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = isWrongProof(error);
    throw error;
  } finally {
    if (!isWrong) await takeBack();
  }
}

/**
 * The memberships that the typed password is of.
 *
 * @throws ServiceError VALIDATION_FAILED for a wrong one
 */
export async function requirePassword(
  asked: Asked<unknown>,
  password: string,
): Promise<readonly Credential[]> {
  const { ports, ctx, session } = asked;
  const ids = session.memberships.map(({ memberId }) => memberId);
  const clientAddress = ports.clientAddress(ctx.req);
  const proven = await proveOwnPassword(ports.db, ids, { password, clientAddress }, clientGone(ctx));
  if (proven.length > 0) return proven;
  await recordFailure(asked);
  throw validationFailed({ current_password: 'is wrong' });
}

/**
 * What a transaction did that counts a wrong code, and was committed for that.
 *
 * @param done null for a wrong code, which is recorded as a failed sign-in
 * @throws ServiceError VALIDATION_FAILED for a wrong code
 */
export async function requireRight<T>(asked: Asked<unknown>, done: T | null): Promise<T> {
  if (done !== null) return done;
  await recordFailure(asked);
  throw wrongCode();
}

/** Records a wrong code as a failed sign-in, and passes the error on. */
export async function recordingFailure<T>(asked: Asked<unknown>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.fields?.['code'] !== undefined) await recordFailure(asked);
    throw error;
  }
}

const recordFailure = ({ ports, ctx, session, requestId, now }: Asked<unknown>): Promise<void> =>
  ports.db.transaction((tx) =>
    recordFailedSignIn(tx, session.email, requestId, now, ports.clientAddress(ctx.req)),
  );
