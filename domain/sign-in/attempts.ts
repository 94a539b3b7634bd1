import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement } from '../../db/sql.ts';
import { clientNetwork } from '../access/client-network.ts';
import { countRequests, secondsLeft } from '../access/rate-limits.ts';
import { ServiceError } from '../errors.ts';
import { foldAddress } from './address.ts';

/** Attempts a minute, in the fixed windows of all limits. */
const WRONG_CODES = 5;
const SIGN_INS: Readonly<Record<string, number>> = { 'sign-in-address': 20, 'sign-in-email': 5 };

/** A sign-in is counted by e-mail address. What was typed as an address is not stored in clear text. */
const person = (email: string): string =>
  `person:${createHash('sha256').update(foldAddress(email)).digest('hex')}`;

const countRow = z.object({ class: z.string(), requests: z.number() });

const tooMany = (message: string, now: Date): ServiceError => {
  const seconds = secondsLeft(now);
  return new ServiceError('RATE_LIMIT_EXCEEDED', `${message} Wait ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
};

/**
 * Counts an attempt to sign in, right or wrong, before any look-up: the answer does not reveal whether the address
 * exists.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function countSignIn(db: Queryable, address: string, email: string, now: Date): Promise<void> {
  const counts = await db.any(sql.type(countRow)`
    ${countRequests(
      sql.fragment`
        select * from (values (${`ip:${clientNetwork(address)}`}, 'sign-in-address', 1), (${person(email)}, 'sign-in-email', 1))
          as attempt (subject, class, requests) order by subject`,
      now,
    )}`);
  if (counts.every(({ class: counted, requests }) => requests <= (SIGN_INS[counted] ?? 0))) return;
  throw tooMany('There were too many attempts to sign in.', now);
}

/**
 * The subject of typed codes: a member of one organisation, so that attempts in another organisation do not block them.
 */
const member = (memberId: string): string => `member:${memberId}`;

/**
 * Serializes the codes that one member types on the page until the transaction ends.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED after five wrong codes in a minute; then right codes are refused too
 */
export async function admitUserCode(tx: Transaction, memberId: string, now: Date): Promise<void> {
  const wrong = await tx.one(sql.type(countRow)`
    ${countRequests(sql.fragment`select ${member(memberId)}::text as subject, 'user-code'::text as class, 0 as requests`, now)}`);
  if (wrong.requests < WRONG_CODES) return;
  throw tooMany(`There were ${WRONG_CODES} wrong codes in a minute.`, now);
}

/** Counts a wrong code in the window that `admitUserCode` has opened. */
export async function countWrongUserCode(tx: Transaction, memberId: string): Promise<void> {
  await tx.exec(statement`
    update rate_limit_counters set requests = requests + 1 where subject = ${member(memberId)} and class = 'user-code'`);
}
