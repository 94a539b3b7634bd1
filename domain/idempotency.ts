import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { refusedByState } from '../db/failures.ts';
import type { ShortTransaction } from '../db/short-transactions.ts';
import type { Query } from '../db/statements.ts';
import { at, sql, statement, timestamp } from '../db/sql.ts';
import type { FragmentSqlToken } from '../db/sql.ts';
import { ServiceError } from './errors.ts';

/** One use of an idempotency key (decisions 3). */
export interface IdempotentRequest {
  readonly siteId: string;
  /** Method and concrete path: keys are scoped to Site and endpoint. */
  readonly operation: string;
  readonly key: string;
  /** Of the parsed body. */
  readonly hash: Buffer;
}

/** A successful answer, as it is given again; secrets in it are already null. */
export interface RecordedAnswer {
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
  readonly etag: string | null;
}

const RETENTION_MS = 24 * 60 * 60_000;

const claim = z.object({ claimed: z.boolean() });
const record = z.object({
  request_hash: z.instanceof(Buffer),
  status: z.number(),
  body: z.string(),
  location: z.string().nullable(),
  etag: z.string().nullable(),
  created_at: timestamp,
});

/** Uses of keys that this process has under way. */
const underWay = new Set<string>();

/** What can be answered before it is done, and the statements that do it where no constraint stands in the way. */
export interface Shortcut<Answer> extends ShortTransaction {
  readonly answer: Answer;
  readonly recorded: RecordedAnswer;
}

/**
 * Does work in a transaction, unless its idempotency key has its answer already. The key is claimed and the work begun
 * at once, so that they share a round trip; the claim has the last word, and what was done for nothing is rolled back.
 * Where this process has the same use under way, the claim comes first: the work would wait for what it duplicates.
 *
 * @param shortcut is tried before the work, and takes a single round trip, the claim of the key included
 * @returns what the work gave, or the recorded answer
 * @throws ServiceError as `claimIdempotencyKey` does; and what the work throws
 */
export async function once<T>(
  db: Database,
  request: IdempotentRequest,
  now: Date,
  work: (tx: Transaction) => Promise<T>,
  shortcut: () => Shortcut<T> | null,
): Promise<T | Recorded> {
  const name = nameOf(request);
  const duplicates = underWay.has(name);
  underWay.add(name);
  try {
    const short = duplicates ? null : shortcut();
    if (short !== null && (await take(db, request, short, now))) return short.answer;
    return await db.transaction(async (tx) => {
      const claiming = claimIdempotencyKey(tx, request, now);
      if (duplicates) {
        const answer = await claiming;
        return answer === null ? work(tx) : new Recorded(answer);
      }
      const [claimed, worked] = await Promise.allSettled([claiming, work(tx)]);
      if (claimed.status === 'rejected') throw claimed.reason;
      if (claimed.value !== null) throw new Recorded(claimed.value);
      if (worked.status === 'rejected') throw worked.reason;
      return worked.value;
    });
  } catch (thrown) {
    if (thrown instanceof Recorded) return thrown;
    throw thrown;
  } finally {
    if (!duplicates) underWay.delete(name);
  }
}

/** @returns whether it is done; else nothing is, for a reason that the claim or the work will tell */
async function take(
  db: Database,
  request: IdempotentRequest,
  { recorded, statements, waits }: Shortcut<unknown>,
  now: Date,
): Promise<boolean> {
  // Without the lock the record has no status, which its table refuses.
  const status = sql.fragment`case when ${lock(request)} then ${recorded.status}::int end`;
  try {
    await db.together([insertRecord(request, recorded, status, now), ...statements], { waits });
    return true;
  } catch (error) {
    if (refusedByState(error)) return false;
    throw error;
  }
}

/** A request whose answer is known already: thrown, it rolls back what was begun. */
export class Recorded extends Error {
  readonly answer: RecordedAnswer;

  constructor(answer: RecordedAnswer) {
    super('The answer is recorded');
    this.answer = answer;
  }
}

/**
 * Takes the key for this transaction: a lock that ends with it, so that a crash never leaves a key in flight.
 *
 * @returns the recorded answer to give again, or null where the work is still to be done
 * @throws ServiceError IDEMPOTENCY_KEY_IN_FLIGHT while the first request runs, IDEMPOTENCY_KEY_CONFLICT for
 *   another body
 */
async function claimIdempotencyKey(
  tx: Transaction,
  request: IdempotentRequest,
  now: Date,
): Promise<RecordedAnswer | null> {
  const { siteId, operation, key } = request;
  // Two statements that travel together: the second sees whatever was committed before the lock was free.
  const [{ claimed }, found] = await Promise.all([
    tx.one(sql.type(claim)`select ${lock(request)} as claimed`),
    tx.maybeOne(sql.type(record)`
      select request_hash, status, body, location, etag, created_at from idempotency_records
      where site_id = ${siteId} and operation = ${operation} and key = ${key}`),
  ]);
  const expired = found !== null && found.created_at.getTime() <= now.getTime() - RETENTION_MS;
  if (found === null || expired) {
    if (!claimed) throw inFlight();
    if (expired) {
      await tx.exec(statement`
        delete from idempotency_records where site_id = ${siteId} and operation = ${operation} and key = ${key}`);
    }
    return null;
  }
  if (!found.request_hash.equals(request.hash)) {
    throw new ServiceError(
      'IDEMPOTENCY_KEY_CONFLICT',
      'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
    );
  }
  return { status: found.status, body: found.body, location: found.location, etag: found.etag };
}

const inFlight = (): ServiceError =>
  new ServiceError(
    'IDEMPOTENCY_KEY_IN_FLIGHT',
    'The first request with this Idempotency-Key is still running. Wait a moment and send it again.',
  );

/** Writes the answer down, in the transaction that did the work: both exist or neither. */
export function recordAnswer(
  tx: Transaction,
  request: IdempotentRequest,
  answer: RecordedAnswer,
  now: Date,
): void {
  tx.atCommit(insertRecord(request, answer, sql.fragment`${answer.status}::int`, now));
}

function insertRecord(
  { siteId, operation, key, hash: requestHash }: IdempotentRequest,
  { body, location, etag }: RecordedAnswer,
  status: FragmentSqlToken,
  now: Date,
): Query {
  return statement`
    insert into idempotency_records (site_id, operation, key, request_hash, status, body, location, etag, created_at)
    select ${siteId}::uuid, ${operation}::text, ${key}::text, ${sql.binary(requestHash)}::bytea, ${status}, ${body}::text,
      ${location}::text, ${etag}::text, ${at(now)}::timestamptz`;
}

/** Deletes records past their retention, a batch at a time. @returns how many */
export function deleteExpiredRecords(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from idempotency_records where ctid = any(array(
      select ctid from idempotency_records where created_at <= ${at(new Date(now.getTime() - RETENTION_MS))}
      order by created_at limit ${batch}
    ))`);
}

/** Equal for bodies whose parsed JSON is equal: members in one order, no white space. */
export function hashBody(body: unknown): Buffer {
  return hash('sha256', canonicalJson(body), 'buffer');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

const nameOf = ({ siteId, operation, key }: IdempotentRequest): string => `${siteId}\0${operation}\0${key}`;

/** True for the one transaction that has the key, until it ends. */
function lock(request: IdempotentRequest): FragmentSqlToken {
  const digest = hash('sha256', nameOf(request), 'buffer');
  return sql.fragment`pg_try_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`;
}
