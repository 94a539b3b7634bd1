import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { conflict, notFound, validationFailed } from '../kernel/errors.ts';
import { endLinks, memberTarget } from '../organisations/organisations.ts';
import { folded, foldAddress } from './address.ts';
import { isLeaked } from './leaked-passwords.ts';
import { checkInTurn } from './password-queue.ts';
import { endOwnSessions } from './own-sessions.ts';
import type { Person } from './second-factor.ts';
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
const lengthOf = (password: string): number => [...normal(password)].length;

/** What can be wrong with a new password, as an error says it of the field. */
const faults = {
  tooShort: `must have at least ${MINIMUM} characters`,
  tooLong: `must have at most ${MAXIMUM} characters`,
  leaked: 'is known from leaked passwords; choose another one, such as three or four unrelated words',
} as const;

/** A new password as it is stored, or what is wrong with it. */
export type NewPassword = { readonly hash: string } | { readonly fault: keyof typeof faults };

async function hashIfGood(password: string): Promise<NewPassword> {
  if (lengthOf(password) < MINIMUM) return { fault: 'tooShort' };
  if (lengthOf(password) > MAXIMUM) return { fault: 'tooLong' };
  if (await isLeaked(normal(password))) return { fault: 'leaked' };
  return { hash: await hash(normal(password), hashing) };
}

/** In turn with the checks of passwords, which take as long. */
export const hashInTurn = (
  password: string,
  clientAddress: string,
  gone: AbortSignal,
): Promise<NewPassword> => checkInTurn(clientAddress, gone, () => hashIfGood(password));

/**
 * @param field the name of the password in the request
 * @throws ServiceError VALIDATION_FAILED if something is wrong with it
 */
export function hashOf(made: NewPassword, field = 'password'): string {
  if ('fault' in made) throw validationFailed({ [field]: faults[made.fault] });
  return made.hash;
}

/** @throws ServiceError VALIDATION_FAILED if something is wrong with it */
export const hashPassword = async (password: string): Promise<string> => hashOf(await hashIfGood(password));

/** The typed address and password, and the client's address. */
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
 * @throws ServiceError as `checkInTurn`; the signal's reason
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
    return await matching(rows, typed);
  });
}

async function matching(
  rows: readonly z.infer<typeof credentialRow>[],
  typed: string,
): Promise<Credential[]> {
  const proven: Credential[] = [];
  for (const { id, password_hash: passwordHash } of rows) {
    if (await verify(passwordHash, typed)) proven.push({ memberId: id, passwordHash });
  }
  return proven;
}

/**
 * The memberships of a signed-in person that their current password matches.
 *
 * @param gone aborted when the result is no longer needed
 * @throws ServiceError as `checkInTurn`; the signal's reason
 */
export function proveOwnPassword(
  db: Queryable,
  memberIds: readonly string[],
  { password, clientAddress }: Pick<SignInAttempt, 'password' | 'clientAddress'>,
  gone: AbortSignal,
): Promise<readonly Credential[]> {
  return checkInTurn(clientAddress, gone, async () => {
    const rows = await db.any(sql.type(credentialRow)`
      select id, password_hash from members
      where id = any(${array([...memberIds], 'uuid')}) and removed_at is null and password_hash is not null order by id`);
    return await matching(rows, normal(password));
  });
}

/**
 * Replaces a person's own password. This session stays, every other one ends.
 *
 * @param proven of `proveOwnPassword`
 * @throws ServiceError CONFLICT if the password has been changed since then
 */
export async function changeOwnPassword(
  tx: Transaction,
  person: Person,
  sessionId: string,
  change: { readonly proven: readonly Credential[]; readonly passwordHash: string },
  now: Date,
): Promise<void> {
  for (const { memberId, passwordHash } of change.proven) {
    const member = await tx.maybeOne(sql.type(organisationIdRow)`
      update members set password_hash = ${change.passwordHash}, version = version + 1
      where id = ${memberId} and password_hash = ${passwordHash} and removed_at is null returning organisation_id`);
    if (member === null) throw conflict('The password has been changed meanwhile. Sign in again.');
    const actor = { kind: 'person', id: memberId, name: person.email, requestId: person.requestId } as const;
    await endWaysIn(tx, memberId);
    recordOrganisationChange(
      { tx, actor, now },
      'member.password',
      member.organisation_id,
      memberTarget(memberId),
    );
  }
  await endOwnSessions(tx, person, { except: sessionId }, now);
}

/** Ends sign-ins that wait for a code, and links, also those that the member made: they rest on the former password. */
async function endWaysIn(tx: Transaction, memberId: string): Promise<void> {
  await tx.exec(statement`delete from pending_sign_ins where member_id = ${memberId}`);
  await endLinks(tx, memberId);
}

/**
 * Gives a member a password for signing in, and ends their sessions. That another one was replaced is noted: for a day, it
 * is no proof of who signs in with it (`startSecondFactor`).
 *
 * @param passwordHash of `hashPassword`
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function setPassword(act: Act, memberId: string, passwordHash: string): Promise<void> {
  const member = await act.tx.maybeOne(sql.type(organisationIdRow)`
    update members set
      password_reset_at = case when password_hash is null then password_reset_at else ${at(act.now)}::timestamptz end,
      password_hash = ${passwordHash}, version = version + 1
    where id = ${memberId} and removed_at is null returning organisation_id`);
  if (member === null) throw notFound('member');
  // First the links: whoever uses one at the moment is waited for, and then the session is seen.
  await endWaysIn(act.tx, memberId);
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
