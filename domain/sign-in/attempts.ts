import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, sql, statement } from '../../db/sql.ts';
import { clientNetwork } from '../access/client-network.ts';
import { countRequests, secondsLeft } from '../access/rate-limits.ts';
import { ServiceError } from '../kernel/errors.ts';
import { foldAddress } from './address.ts';

/** Wrong attempts a minute, in the fixed windows of all limits. */
const WRONG_OF_ONE = 5;
const WRONG_OF_NETWORK = 20;

const countRow = z.object({ subject: z.string(), class: z.string(), requests: z.number() });

interface Counter {
  readonly subject: string;
  readonly class: string;
  readonly limit: number;
}

/** Where an attempt to sign in comes from, and for whom. */
export interface SignInSource {
  readonly address: string;
  readonly email: string;
  /** The browser's, if it has signed in with this e-mail address before. */
  readonly device: string | null;
}

/** Takes back the count of an attempt that did not prove wrong. */
export type TakeBack = () => Promise<void>;

/**
 * Judges an attempt that was counted. One that could not be judged, because the service is busy or a server is away, says
 * nothing about who made it: it does not count.
 */
export async function judging<T>(takeBack: TakeBack, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/**
 * Counts an attempt to sign in, before any look-up: the answer does not reveal whether the address exists. Wrong ones
 * count by network and e-mail address together, so that nobody is kept out by strangers elsewhere, and those of a device
 * that has signed in before by the device alone, so that strangers in its network do not keep it out either
 * (docs/spec/rulings.md, 27, Sign-in).
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export function countSignIn(db: Queryable, source: SignInSource, now: Date): Promise<TakeBack> {
  const own = { subject: subjectOf(source), class: 'sign-in-email', limit: WRONG_OF_ONE };
  const network = `ip:${clientNetwork(source.address)}`;
  const all = { subject: network, class: 'sign-in-address', limit: WRONG_OF_NETWORK };
  const counters = source.device === null ? [own, all] : [own];
  return count(db, counters, 'There were too many attempts to sign in.', now);
}

/** Counts a code that is typed to sign in. Codes have a count of their own. @throws ServiceError RATE_LIMIT_EXCEEDED */
export const countCode = (db: Queryable, source: SignInSource, now: Date): Promise<TakeBack> =>
  count(
    db,
    [{ subject: subjectOf(source), class: 'sign-in-code', limit: WRONG_OF_ONE }],
    'There were too many wrong codes.',
    now,
  );

/**
 * Counts an attempt of a signed-in person to prove who they are: by session, where no stranger is.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export const countOwnProof = (db: Queryable, sessionId: string, now: Date): Promise<TakeBack> =>
  count(
    db,
    [{ subject: `session:${sessionId}`, class: 'own-proof', limit: WRONG_OF_ONE }],
    'There were too many wrong passwords or codes.',
    now,
  );

/** The typed address is not stored in clear text. */
function subjectOf({ address, email, device }: SignInSource): string {
  const person = createHash('sha256').update(foldAddress(email)).digest('hex');
  return `${device === null ? `ip:${clientNetwork(address)}` : `device:${device}`} person:${person}`;
}

async function count(
  db: Queryable,
  counters: readonly Counter[],
  message: string,
  now: Date,
): Promise<TakeBack> {
  const subjects = array(
    counters.map(({ subject }) => subject),
    'text',
  );
  const classes = array(
    counters.map((counter) => counter.class),
    'text',
  );
  const counts = await db.any(sql.type(countRow)`
    ${countRequests(
      sql.fragment`
        select subject, class, 1 as requests from unnest(${subjects}, ${classes}) as attempt (subject, class) order by subject`,
      now,
    )}`);
  const isExceeded = counters.some((counter) =>
    counts.some((counted) => counted.class === counter.class && counted.requests > counter.limit),
  );
  if (isExceeded) throw tooMany(message, now);
  return async () => {
    await db.exec(statement`
      update rate_limit_counters c set requests = c.requests - 1
      from unnest(${subjects}, ${classes}) as attempt (subject, class)
      where c.subject = attempt.subject and c.class = attempt.class and c.requests > 0`);
  };
}

const tooMany = (message: string, now: Date): ServiceError => {
  const seconds = secondsLeft(now);
  return new ServiceError('RATE_LIMIT_EXCEEDED', `${message} Wait ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
};

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
  if (wrong.requests < WRONG_OF_ONE) return;
  throw tooMany(`There were ${WRONG_OF_ONE} wrong codes in a minute.`, now);
}

/** Counts a wrong code in the window that `admitUserCode` has opened. */
export async function countWrongUserCode(tx: Transaction, memberId: string): Promise<void> {
  await tx.exec(statement`
    update rate_limit_counters set requests = requests + 1 where subject = ${member(memberId)} and class = 'user-code'`);
}
