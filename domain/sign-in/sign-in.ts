import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { notify } from '../notifications/notify.ts';
import type { Language } from '../notifications/kinds.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { auditSignIn } from './audit.ts';
import { useLink } from './links.ts';
import { findSecondFactor, useCode } from './second-factor.ts';
import { insertSession } from './sessions.ts';
import { generateToken, hashToken } from './tokens.ts';

/** How long a code of the second factor is awaited after the password. */
const CODE_AWAITED_MS = 10 * 60_000;

const personRow = z.object({ id: z.string(), organisation_id: z.string(), email: z.string() });

type PersonRow = z.infer<typeof personRow>;

/** The request that a person signs in by. */
export interface SignInRequest {
  readonly requestId: string;
  /** The client's. */
  readonly address: string;
  /** Its User-Agent. */
  readonly browser: string;
  /** In which the person is written to from now on. */
  readonly language: Language;
  /** Whether the browser has signed in with an e-mail address before. */
  readonly isKnownTo: (email: string) => boolean;
}

/** The new token of the browser, and whether it waits for a code of the second factor. */
export interface SignedIn {
  readonly token: string;
  readonly codeAwaited: boolean;
}

/**
 * Signs a person in for the memberships whose passwords matched, if they are still valid. If one of them has a second
 * factor, the sign-in waits for a code. Each organisation records it in its audit log.
 *
 * @returns null if a password was changed or the person removed since the check
 */
export async function signIn(
  tx: Transaction,
  proven: readonly { readonly memberId: string; readonly passwordHash: string }[],
  request: SignInRequest,
  now: Date,
): Promise<SignedIn | null> {
  const ids = array(
    proven.map(({ memberId }) => memberId),
    'uuid',
  );
  const hashes = array(
    proven.map(({ passwordHash }) => passwordHash),
    'text',
  );
  // Locked, so that a change of the password happens either before, or ends this session. Their language may change.
  const members = await tx.any(sql.type(personRow)`
    select m.id, m.organisation_id, m.email from members m
    join unnest(${ids}, ${hashes}) as p (id, password_hash) on p.id = m.id and p.password_hash = m.password_hash
    where m.removed_at is null order by m.id for no key update of m`);
  if (members.length === 0) return null;
  const token = generateToken();
  const { enabled } = await findSecondFactor(tx, members.map(membershipOf));
  if (!enabled) {
    await begin(tx, token, members, request, now);
    return { token, codeAwaited: false };
  }
  await tx.exec(statement`
    insert into pending_sign_ins (token_hash, member_id, created_at)
    select ${hashToken(token)}, id, ${at(now)}
    from unnest(${array(
      members.map(({ id }) => id),
      'uuid',
    )}) as m (id)`);
  return { token, codeAwaited: true };
}

const membershipOf = ({ id, organisation_id: organisationId }: PersonRow) => ({
  memberId: id,
  organisationId,
});

/** The address of the person whose sign-in waits for a code; null if none does. */
export async function findPendingSignIn(db: Queryable, token: string, now: Date): Promise<string | null> {
  const row = await db.maybeOne(sql.type(z.object({ email: z.string() }))`
    select m.email from pending_sign_ins p join members m on m.id = p.member_id
    where p.token_hash = ${hashToken(token)} and ${isAwaited(now)} and m.removed_at is null limit 1`);
  return row?.email ?? null;
}

const isAwaited = (now: Date): FragmentSqlToken =>
  sql.fragment`p.created_at > ${at(new Date(now.getTime() - CODE_AWAITED_MS))}`;

/**
 * Completes a sign-in by a code of the second factor: for the memberships whose code it is, and for those without a
 * second factor.
 *
 * @returns the session's token; null for a wrong code, or if the sign-in has ended
 */
export async function completeSignIn(
  tx: Transaction,
  box: SecretBox,
  { token, typed }: { readonly token: string; readonly typed: string },
  request: SignInRequest,
  now: Date,
): Promise<string | null> {
  const members = await tx.any(sql.type(personRow)`
    select m.id, m.organisation_id, m.email from pending_sign_ins p join members m on m.id = p.member_id
    where p.token_hash = ${hashToken(token)} and ${isAwaited(now)} and m.removed_at is null
    order by m.id for no key update of m`);
  const proven = await useCode(tx, box, members.map(membershipOf), typed, now);
  if (proven.length === 0) return null;
  // Of two requests with two codes, one finds them.
  const ended = await tx.exec(statement`delete from pending_sign_ins where token_hash = ${hashToken(token)}`);
  if (ended === 0) return null;
  const admitted: PersonRow[] = [];
  for (const member of members)
    if (proven.includes(member.id) || !(await findSecondFactor(tx, [membershipOf(member)])).enabled)
      admitted.push(member);
  const session = generateToken();
  await begin(tx, session, admitted, request, now);
  return session;
}

/**
 * Signs a person in by a link that works once.
 *
 * @returns the session's token; null for a link that has ended
 */
export async function signInByLink(
  tx: Transaction,
  link: string,
  request: SignInRequest,
  now: Date,
): Promise<string | null> {
  const member = await useLink(tx, link, 'sign_in', now);
  if (member === null) return null;
  const token = generateToken();
  await begin(tx, token, [member], request, now);
  return token;
}

async function begin(
  tx: Transaction,
  token: string,
  members: readonly PersonRow[],
  { requestId, address, browser, language, isKnownTo }: SignInRequest,
  now: Date,
): Promise<void> {
  const ids = members.map(({ id }) => id);
  await insertSession(tx, token, ids, browser, now);
  await tx.exec(statement`
    update members set language = ${language} where id = any(${array(ids, 'uuid')}) and language <> ${language}`);
  const strange = members.filter(({ email }) => !isKnownTo(email)).map(({ id }) => id);
  if (strange.length > 0) {
    const to = sql.fragment`select unnest(${array(strange, 'uuid')})`;
    notify(
      tx,
      { kind: 'security.sign_in', siteId: null, to, actor: null, target: null, named: { address } },
      now,
    );
  }
  for (const { id, organisation_id: organisationId, email } of members)
    auditSignIn(tx, 'sign_in.succeed', { memberId: id, organisationId, email }, requestId, now, address);
}

/** Deletes a batch of sign-ins whose code never came. @returns how many */
export function deleteAbandonedSignIns(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - CODE_AWAITED_MS);
  return deleteBatch(tx, { table: 'pending_sign_ins', by: 'created_at', until, size });
}
