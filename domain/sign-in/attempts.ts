import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement } from '../../db/sql.ts';
import { countRequests, secondsLeft } from '../access/rate-limits.ts';
import { ServiceError } from '../errors.ts';

/** Attempts in a minute, in the fixed windows of all limits. */
const WRONG_CODES = 5;
const SIGN_INS: Readonly<Record<string, number>> = { 'sign-in-address': 20, 'sign-in-email': 5 };

/** Whoever signs in is an e-mail address. What somebody typed for one is not kept in clear. */
const person = (email: string): string =>
  `person:${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;

const countRow = z.object({ class: z.string(), requests: z.number() });

const tooMany = (message: string, now: Date): ServiceError => {
  const seconds = secondsLeft(now);
  return new ServiceError('RATE_LIMIT_EXCEEDED', `${message} Wait ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
};

/**
 * Counts an attempt to sign in, right or wrong, before anything is looked up: the answer is the same whether anybody
 * has the address.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function countSignIn(db: Queryable, address: string, email: string, now: Date): Promise<void> {
  const counts = await db.any(sql.type(countRow)`
    ${countRequests(
      sql.fragment`
        select * from (values (${`ip:${address}`}, 'sign-in-address', 1), (${person(email)}, 'sign-in-email', 1))
          as attempt (subject, class, requests) order by subject`,
      now,
    )}`);
  if (counts.every(({ class: counted, requests }) => requests <= (SIGN_INS[counted] ?? 0))) return;
  throw tooMany('There were too many attempts to sign in.', now);
}

/** Who types a code on the page: a member of one organisation, so that nothing done in another keeps them from it. */
const member = (memberId: string): string => `member:${memberId}`;

/**
 * Has the codes that one member types on the page go one after the other until the transaction ends.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED after five wrong ones in a minute; then also right ones are refused
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
