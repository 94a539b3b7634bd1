import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notify } from '../notifications/notify.ts';
import { conflict, notFound, validationFailed } from '../kernel/errors.ts';
import { memberTarget } from '../organisations/organisations.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Membership } from './sessions.ts';
import { generateRecoveryCodes, generateTotpSecret, hashRecoveryCode, readCode, stepOfCode } from './totp.ts';

/** A person who changes their own second factor: the memberships of their session. */
export interface Person {
  readonly email: string;
  readonly memberships: readonly Pick<Membership, 'memberId' | 'organisationId'>[];
  readonly requestId: string;
}

const idsOf = (memberships: Person['memberships']) =>
  array(
    memberships.map(({ memberId }) => memberId),
    'uuid',
  );

const stateRow = z.object({ enabled: z.boolean(), left: z.number() });

/** Whether there is one, and how many recovery codes are left. */
export type SecondFactor = z.infer<typeof stateRow>;

/** Whether any of the memberships has a second factor, and how many recovery codes are left. */
export const findSecondFactor = (db: Queryable, memberships: Person['memberships']): Promise<SecondFactor> =>
  db.one(sql.type(stateRow)`
    select coalesce(bool_or(f.confirmed_at is not null), false) as enabled,
      coalesce(max((select count(*) from recovery_codes r where r.member_id = f.member_id)), 0)::int as left
    from second_factors f where f.member_id = any(${idsOf(memberships)})`);

const factorRow = z.object({
  member_id: z.string(),
  secret: z.instanceof(Buffer),
  confirmed: z.boolean(),
  last_step: z.number(),
  wrong_codes: z.number(),
  wrong_at: timestamp.nullable(),
});

/**
 * After so many wrong codes in a row, a code of the app is not even looked at for an hour after the last one, so that
 * it cannot be guessed by somebody who has the password. Recovery codes are: they are too long to be guessed.
 */
const WRONG_CODES = 20;
const REST_MS = 60 * 60_000;

/** The second factors of members, locked in one order, so that a code is judged once at a time. */
const lockFactors = (tx: Transaction, memberIds: ReturnType<typeof idsOf>) =>
  tx.any(sql.type(factorRow)`
    select member_id, secret, confirmed_at is not null as confirmed, last_step, wrong_codes, wrong_at from second_factors
    where member_id = any(${memberIds}) order by member_id for update`);

/**
 * Gives a person a new secret, which counts once a code confirms it. The same one is for all memberships of the session.
 *
 * @throws ServiceError CONFLICT if there is a second factor, or if the password was reset less than a day ago: whoever
 *   did that could keep the person out, who is to notice first
 */
export async function startSecondFactor(
  tx: Transaction,
  box: SecretBox,
  { memberships }: Pick<Person, 'memberships'>,
  now: Date,
): Promise<string> {
  await requireNoReset(tx, memberships, now);
  const secret = generateTotpSecret();
  for (const { memberId } of memberships) {
    const written = await tx.exec(statement`
      insert into second_factors as f (member_id, secret, created_at)
      values (${memberId}, ${sql.binary(box.seal(secret, memberId))}, ${at(now)})
      on conflict on constraint second_factors_pkey do update set secret = excluded.secret, created_at = excluded.created_at
      where f.confirmed_at is null`);
    if (written === 0)
      throw conflict('You have a second factor already. Turn it off before you set up another one.');
  }
  return secret;
}

const NOTICED_MS = 24 * 60 * 60_000;
const resetRow = z.object({ reset_at: timestamp.nullable() });

async function requireNoReset(tx: Transaction, memberships: Person['memberships'], now: Date): Promise<void> {
  const { reset_at: resetAt } = await tx.one(sql.type(resetRow)`
    select max(password_reset_at) as reset_at from members where id = any(${idsOf(memberships)})`);
  if (resetAt === null || resetAt.getTime() <= now.getTime() - NOTICED_MS) return;
  const from = new Date(resetAt.getTime() + NOTICED_MS).toISOString();
  throw conflict(
    `Your password was reset at ${resetAt.toISOString()}. So that you notice it if somebody else did that, a second factor can be set up from ${from} on.`,
  );
}

/**
 * Confirms the new secret by a code of it.
 *
 * @returns the recovery codes, which can be read at this moment only
 * @throws ServiceError CONFLICT without a secret to confirm, VALIDATION_FAILED for a wrong code
 */
export async function confirmSecondFactor(
  tx: Transaction,
  box: SecretBox,
  person: Person,
  typed: string,
  now: Date,
): Promise<readonly string[]> {
  const factors = await lockFactors(tx, idsOf(person.memberships));
  const [first] = factors;
  if (first === undefined || factors.some(({ confirmed }) => confirmed))
    throw conflict('There is no second factor that waits to be confirmed. Set it up again.');
  const code = readCode(typed);
  const ids: string[] = [];
  for (const { member_id: id, secret } of factors) {
    const step = code?.kind === 'totp' ? stepOfCode(box.open(secret, id), code.code, now) : null;
    if (step === null) throw validationFailed({ code: WRONG });
    await tx.exec(statement`
      update second_factors set confirmed_at = ${at(now)}, last_step = ${step} where member_id = ${id}`);
    ids.push(id);
  }
  recordForAll(tx, person, 'member.two_factor_on', now);
  return await replaceRecoveryCodes(tx, ids);
}

/** Replaces the recovery codes. @returns null for a wrong code, which is counted if the transaction is committed */
export async function renewRecoveryCodes(
  tx: Transaction,
  box: SecretBox,
  person: Person,
  typed: string,
  now: Date,
): Promise<readonly string[] | null> {
  const proven = await useCode(tx, box, person.memberships, typed, now);
  if (proven.length === 0) return null;
  recordForAll(tx, only(person, proven), 'member.recovery_codes', now);
  return await replaceRecoveryCodes(tx, proven);
}

/** Turns the second factor off. @returns null for a wrong code, which is counted if the transaction is committed */
export async function endSecondFactor(
  tx: Transaction,
  box: SecretBox,
  person: Person,
  typed: string,
  now: Date,
): Promise<true | null> {
  const proven = await useCode(tx, box, person.memberships, typed, now);
  if (proven.length === 0) return null;
  await tx.exec(statement`delete from second_factors where member_id = any(${array(proven, 'uuid')})`);
  recordForAll(tx, only(person, proven), 'member.two_factor_off', now);
  tellOfNoFactor(tx, proven, now);
  return true;
}

/**
 * Uses up a code of the second factor, or a recovery code. A code that matches no membership counts as a wrong one for
 * each of them. It is counted only if the transaction is committed, so the caller must not throw within it.
 *
 * @returns the members whose code it is
 */
export async function useCode(
  tx: Transaction,
  box: SecretBox,
  memberships: Person['memberships'],
  typed: string,
  now: Date,
): Promise<string[]> {
  const code = readCode(typed);
  if (code === null) return [];
  const factors = await lockFactors(tx, idsOf(memberships));
  const proven: string[] = [];
  const failed: string[] = [];
  for (const factor of factors) {
    const { member_id: id, secret, confirmed } = factor;
    if (!confirmed) continue;
    if (code.kind === 'recovery') {
      const used = await tx.exec(statement`
        delete from recovery_codes where member_id = ${id} and hash = ${sql.binary(code.hash)}`);
      if (used > 0) proven.push(id);
    } else if (!rests(factor, now)) {
      const isRight = await useStep(tx, factor, stepOfCode(box.open(secret, id), code.code, now));
      (isRight ? proven : failed).push(id);
    }
  }
  if (proven.length === 0 && failed.length > 0)
    await tx.exec(statement`
      update second_factors set wrong_codes = wrong_codes + 1, wrong_at = ${at(now)}
      where member_id = any(${array(failed, 'uuid')})`);
  return proven;
}

type Factor = z.infer<typeof factorRow>;

const rests = ({ wrong_codes: wrong, wrong_at: last }: Factor, now: Date): boolean =>
  wrong >= WRONG_CODES && last !== null && last.getTime() > now.getTime() - REST_MS;

async function useStep(
  tx: Transaction,
  { member_id: id, last_step: last }: Factor,
  step: number | null,
): Promise<boolean> {
  if (step === null || step <= last) return false;
  await tx.exec(statement`
    update second_factors set last_step = ${step}, wrong_codes = 0 where member_id = ${id}`);
  return true;
}

/** Removes a member's second factor without a code, for the operator. @throws ServiceError NOT_FOUND */
export async function removeSecondFactor(act: Act, memberId: string): Promise<void> {
  const member = await act.tx.maybeOne(sql.type(organisationIdRow)`
    select organisation_id from members where id = ${memberId} and removed_at is null for update`);
  if (member === null) throw notFound('member');
  const removed = await act.tx.exec(statement`delete from second_factors where member_id = ${memberId}`);
  if (removed === 0) return;
  recordOrganisationChange(act, 'member.two_factor_off', member.organisation_id, memberTarget(memberId));
  tellOfNoFactor(act.tx, [memberId], act.now);
}

function tellOfNoFactor(tx: Transaction, memberIds: readonly string[], now: Date): void {
  const to = sql.fragment`select unnest(${array([...memberIds], 'uuid')})`;
  notify(tx, { kind: 'security.two_factor_off', siteId: null, to, actor: null, target: null }, now);
}

const organisationIdRow = z.object({ organisation_id: z.string() });

async function replaceRecoveryCodes(
  tx: Transaction,
  memberIds: readonly string[],
): Promise<readonly string[]> {
  const codes = generateRecoveryCodes();
  const members = array([...memberIds], 'uuid');
  await tx.exec(statement`delete from recovery_codes where member_id = any(${members})`);
  for (const code of codes)
    await tx.exec(statement`
      insert into recovery_codes (member_id, hash)
      select id, ${sql.binary(hashRecoveryCode(code))} from unnest(${members}) as m (id)`);
  return codes;
}

/** A person in some of their memberships. */
const only = (person: Person, members: readonly string[]): Person => ({
  ...person,
  memberships: person.memberships.filter(({ memberId }) => members.includes(memberId)),
});

function recordForAll(
  tx: Transaction,
  { email, memberships, requestId }: Person,
  action: 'member.two_factor_on' | 'member.two_factor_off' | 'member.recovery_codes',
  now: Date,
): void {
  for (const { memberId, organisationId } of memberships) {
    const actor = { kind: 'person', id: memberId, name: email, requestId } as const;
    recordOrganisationChange({ tx, actor, now }, action, organisationId, memberTarget(memberId));
  }
}

const WRONG = 'is wrong, or was used before. Wait for the next code in your app';

export const wrongCode = () =>
  validationFailed({
    code: `${WRONG}; after ${WRONG_CODES} wrong ones in a row, only a recovery code is accepted for an hour`,
  });
