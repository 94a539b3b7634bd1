import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { notFound, validationFailed } from '../errors.ts';
import { endSessionsOf } from './sessions.ts';

const organisationIdRow = z.object({ organisation_id: z.string() });

/** What OWASP recommends for a server: argon2id, which is the package's default, 19 MiB, two passes. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that nothing is admitted by. Whoever has no password is checked against it, which takes as long. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$pKcH4cJflH7y67/qHsWNdQ$j00tCuD25df8pFDAIfTZBNJNL8lEWPNfYUJ06igeUDM';

const MINIMUM = 12;
const MAXIMUM = 1_000;

/** One spelling of what looks the same, whichever keyboard it was typed on. */
const normal = (password: string): string => password.normalize('NFKC');

let lastTurn: Promise<unknown> = Promise.resolve();

/** One check at a time in a process: each takes tens of milliseconds of a core, and a thread that files and names need too. */
function inTurn<T>(check: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(check);
  lastTurn = turn.catch(() => {});
  return turn;
}

const matches = (passwordHash: string, typed: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, typed));

/** @throws ServiceError VALIDATION_FAILED for one that is too short or too long */
export function hashPassword(password: string): Promise<string> {
  const length = [...normal(password)].length;
  if (length < MINIMUM) throw validationFailed({ password: `must have at least ${MINIMUM} characters` });
  if (length > MAXIMUM) throw validationFailed({ password: `must have at most ${MAXIMUM} characters` });
  return hash(normal(password), hashing);
}

/** A membership that an address and a password are for. */
export interface Credential {
  readonly memberId: string;
  readonly passwordHash: string;
}

const credentialRow = z.object({ id: z.string(), password_hash: z.string() });

/**
 * Which memberships an e-mail address and a password are for: those of one person in several organisations may have
 * one password or several. Where there is none, it takes as long as for one.
 */
export async function proveCredentials(
  db: Queryable,
  email: string,
  password: string,
): Promise<readonly Credential[]> {
  const rows = await db.any(sql.type(credentialRow)`
    select id, password_hash from members
    where lower(email) = lower(${email}) and removed_at is null and password_hash is not null order by id`);
  const typed = normal(password);
  if (rows.length === 0) await matches(nobodysHash, typed);
  const proven: Credential[] = [];
  for (const { id, password_hash: passwordHash } of rows) {
    if (await matches(passwordHash, typed)) proven.push({ memberId: id, passwordHash });
  }
  return proven;
}

/**
 * Gives a member a password for signing in, and ends what they are signed in to.
 *
 * @param passwordHash of `hashPassword`
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function setPassword(
  tx: Transaction,
  actor: Actor,
  memberId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const member = await tx.maybeOne(sql.type(organisationIdRow)`
    update members set password_hash = ${passwordHash}, version = version + 1 where id = ${memberId} and removed_at is null
    returning organisation_id`);
  if (member === null) throw notFound('member');
  await endSessionsOf(tx, memberId);
  await auditMember(tx, actor, 'member.password', memberId, member.organisation_id, now);
}

/**
 * Signs a member out wherever they are signed in.
 *
 * @returns of how many sessions
 * @throws ServiceError NOT_FOUND
 */
export async function signMemberOut(
  tx: Transaction,
  actor: Actor,
  memberId: string,
  now: Date,
): Promise<number> {
  const member = await tx.maybeOne(sql.type(organisationIdRow)`
    select organisation_id from members where id = ${memberId} for update`);
  if (member === null) throw notFound('member');
  const ended = await endSessionsOf(tx, memberId);
  await auditMember(tx, actor, 'member.sign_out', memberId, member.organisation_id, now);
  return ended;
}

const auditMember = (
  tx: Transaction,
  actor: Actor,
  action: string,
  id: string,
  organisationId: string,
  now: Date,
): Promise<void> =>
  recordAudit(tx, { actor, action, target: { type: 'member', id }, siteId: null, organisationId }, now);
