import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound, validationFailed } from '../errors.ts';
import { memberTarget } from '../organisations/organisations.ts';
import { folded, foldAddress } from './address.ts';
import { checkInTurn } from './password-queue.ts';
import { endSessionsOf } from './sessions.ts';

const organisationIdRow = z.object({ organisation_id: z.string() });

/** OWASP's recommendation for servers: argon2id, which is the package's default, 19 MiB, two passes. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that no password matches. If a person has no password, checking against it takes the same time. */
export const unmatchableHash =
  '$argon2id$v=19$m=19456,t=2,p=1$pKcH4cJflH7y67/qHsWNdQ$j00tCuD25df8pFDAIfTZBNJNL8lEWPNfYUJ06igeUDM';

const MINIMUM = 12;
const MAXIMUM = 1_000;

/** Normalizes characters that look the same, regardless of the keyboard. */
const normal = (password: string): string => password.normalize('NFKC');

/** @throws ServiceError VALIDATION_FAILED for a password that is too short or too long */
export function hashPassword(password: string): Promise<string> {
  const length = [...normal(password)].length;
  if (length < MINIMUM) throw validationFailed({ password: `must have at least ${MINIMUM} characters` });
  if (length > MAXIMUM) throw validationFailed({ password: `must have at most ${MAXIMUM} characters` });
  return hash(normal(password), hashing);
}

/** What was typed to sign in, and the client's address. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly clientAddress: string;
}

/** A membership that an address and a password match. */
export interface Credential {
  readonly memberId: string;
  readonly passwordHash: string;
}

const credentialRow = z.object({ id: z.string(), password_hash: z.string() });

/**
 * The memberships that an e-mail address and a password match: a person may use one password or several for the
 * memberships of several organisations. If there is no membership, the check takes as long as for one.
 *
 * @param gone aborted when the result is no longer needed
 * @throws ServiceError RATE_LIMIT_EXCEEDED if too many checks wait; the signal's reason
 */
export function proveCredentials(
  db: Queryable,
  { email, password, clientAddress }: SignInAttempt,
  gone: AbortSignal,
): Promise<readonly Credential[]> {
  const typed = normal(password);
  return checkInTurn(clientAddress, gone, async () => {
    const rows = await db.any(sql.type(credentialRow)`
      select id, password_hash from members
      where ${folded(sql.fragment`email`)} = ${foldAddress(email)} and removed_at is null and password_hash is not null
      order by id`);
    if (rows.length === 0) await verify(unmatchableHash, typed);
    const proven: Credential[] = [];
    for (const { id, password_hash: passwordHash } of rows) {
      if (await verify(passwordHash, typed)) proven.push({ memberId: id, passwordHash });
    }
    return proven;
  });
}

/**
 * Gives a member a password for signing in, and ends their sessions.
 *
 * @param passwordHash of `hashPassword`
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function setPassword(act: Act, memberId: string, passwordHash: string): Promise<void> {
  const member = await act.tx.maybeOne(sql.type(organisationIdRow)`
    update members set password_hash = ${passwordHash}, version = version + 1 where id = ${memberId} and removed_at is null
    returning organisation_id`);
  if (member === null) throw notFound('member');
  await endSessionsOf(act, memberId);
  recordOrganisationChange(act, 'member.password', member.organisation_id, memberTarget(memberId));
}

/**
 * Ends all sessions of a member.
 *
 * @returns how many
 * @throws ServiceError NOT_FOUND
 */
export async function signMemberOut(act: Act, memberId: string): Promise<number> {
  const member = await act.tx.maybeOne(sql.type(organisationIdRow)`
    select organisation_id from members where id = ${memberId} for update`);
  if (member === null) throw notFound('member');
  const ended = await endSessionsOf(act, memberId);
  recordOrganisationChange(act, 'member.sign_out', member.organisation_id, memberTarget(memberId));
  return ended;
}
