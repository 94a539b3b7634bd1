import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Effects, OneStatement } from '../../db/effects.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { ServiceError } from './errors.ts';
import type { SecretBox } from './secret-box.ts';

/** One use of an idempotency key (docs/spec/rulings.md, 3). */
export interface IdempotentRequest {
  readonly siteId: string;
  /** Method and concrete path: keys are scoped to Site and endpoint. */
  readonly operation: string;
  readonly key: string;
  /** The stored hash of the parsed body, by `hashesOfBody`, and all else that may be stored of the same one. */
  readonly hashes: readonly [stored: Buffer, ...others: Buffer[]];
}

/** A successful answer as it is replayed. Its secrets are already null. */
export interface RecordedAnswer {
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
  readonly etag: string | null;
}

const PURPOSE = 'body of an idempotent request';
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

/**
 * Claims the key for an optimistic write and records its answer: nothing is written if another request holds the key,
 * or has recorded an answer.
 */
export function registerClaim(
  effects: OneStatement,
  request: IdempotentRequest,
  answer: RecordedAnswer,
  now: Date,
): void {
  // The record would violate its primary key; asking first keeps a replay out of the server's log of errors.
  effects.require(
    sql.fragment`${lock(request)} and not exists (select from idempotency_records where ${ofKey(request)})`,
  );
  recordAnswer(effects, request, answer, now);
}

/**
 * Claims the key by a lock that ends with the transaction, so that a crash never leaves a key in flight.
 *
 * @returns the recorded answer to replay, or null if the work has not been done yet
 * @throws ServiceError IDEMPOTENCY_KEY_IN_FLIGHT while the first request runs, IDEMPOTENCY_KEY_CONFLICT for
 *   another body
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  request: IdempotentRequest,
  now: Date,
): Promise<RecordedAnswer | null> {
  let [claimed, found] = await tryToClaim(tx, request);
  if (!claimed && found === null) {
    await sleep(RELEASE_MS);
    [claimed, found] = await tryToClaim(tx, request);
  }
  if (found !== null && isKept(found, now)) return replayOf(found, request);
  if (!claimed) throw keyInFlight();
  if (found !== null) await tx.exec(statement`delete from idempotency_records where ${ofKey(request)}`);
  return null;
}

/**
 * Finds the recorded answer without claiming the key: for work before the transaction, which a replay must not repeat.
 *
 * @throws ServiceError IDEMPOTENCY_KEY_CONFLICT for another body
 */
export async function findRecordedAnswer(
  db: Queryable,
  request: IdempotentRequest,
  now: Date,
): Promise<RecordedAnswer | null> {
  const found = await db.maybeOne(recordOf(request));
  return found !== null && isKept(found, now) ? replayOf(found, request) : null;
}

type Found = z.infer<typeof record>;

const isKept = ({ created_at: createdAt }: Found, now: Date): boolean =>
  createdAt.getTime() > now.getTime() - RETENTION_MS;

function replayOf(
  { request_hash: requestHash, status, body, location, etag }: Found,
  request: IdempotentRequest,
): RecordedAnswer {
  if (!request.hashes.some((hashed) => hashed.equals(requestHash))) {
    throw new ServiceError(
      'IDEMPOTENCY_KEY_CONFLICT',
      'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
    );
  }
  return { status, body, location, etag };
}

/**
 * PostgreSQL reports the error of an optimistic write a moment before it lets go of that write's lock: the transaction
 * that finds out why must not take it for another request.
 */
const RELEASE_MS = 50;

/** Two statements in one packet: the second sees everything that was committed before the lock was released. */
async function tryToClaim(
  tx: Transaction,
  request: IdempotentRequest,
): Promise<[claimed: boolean, found: Found | null]> {
  const [{ claimed }, found] = await Promise.all([
    tx.one(sql.type(claim)`select ${lock(request)} as claimed`),
    tx.maybeOne(recordOf(request)),
  ]);
  return [claimed, found];
}

const recordOf = (request: IdempotentRequest) => sql.type(record)`
  select request_hash, status, body, location, etag, created_at from idempotency_records where ${ofKey(request)}`;

const keyInFlight = (): ServiceError =>
  new ServiceError(
    'IDEMPOTENCY_KEY_IN_FLIGHT',
    'The first request with this Idempotency-Key is still running. Wait a moment and send it again.',
  );

/** Records the answer together with the work: both are committed, or neither. */
export const recordAnswer = (
  effects: Effects,
  { siteId, operation, key, hashes: [requestHash] }: IdempotentRequest,
  { status, body, location, etag }: RecordedAnswer,
  now: Date,
): void =>
  effects.add(
    (when) => sql.fragment`
    insert into idempotency_records (site_id, operation, key, request_hash, status, body, location, etag, created_at)
    select ${siteId}::uuid, ${operation}::text, ${key}::text, ${sql.binary(requestHash)}::bytea, ${status}::int,
      ${body}::text, ${location}::text, ${etag}::text, ${at(now)}::timestamptz
    where ${when}`,
  );

/** Deletes a batch of records past their retention. @returns how many */
export function deleteExpiredRecords(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from idempotency_records where ctid = any(array(
      select ctid from idempotency_records where created_at <= ${at(new Date(now.getTime() - RETENTION_MS))}
      order by created_at limit ${batch}
    ))`);
}

/**
 * Equal for bodies whose `hashBody` is equal. With the address of a reader it is made with a secret, because the address
 * could be found by trial otherwise.
 *
 * @returns the stored one, then all that may be stored
 */
export function hashesOfBody(box: SecretBox, body: unknown): [Buffer, ...Buffer[]] {
  const plain = hashBody(body);
  if (!hasReaderAddress(body)) return [plain];
  const text = plain.toString('hex');
  return [box.fingerprint(text, PURPOSE), ...box.fingerprints(text, PURPOSE)];
}

const hasReaderAddress = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'reader_ip' in body;

/** A hash that is equal for bodies whose parsed JSON is equal, regardless of white space and of the order of members. */
export function hashBody(body: unknown): Buffer {
  return hash('sha256', canonicalJson(body), 'buffer');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

const ofKey = ({ siteId, operation, key }: IdempotentRequest): FragmentSqlToken =>
  sql.fragment`site_id = ${siteId}::uuid and operation = ${operation}::text and key = ${key}::text`;

const nameOf = ({ siteId, operation, key }: IdempotentRequest): string => `${siteId}\0${operation}\0${key}`;

/** Evaluates to true for the single transaction that holds the key, until it ends. */
function lock(request: IdempotentRequest): FragmentSqlToken {
  const digest = hash('sha256', nameOf(request), 'buffer');
  return sql.fragment`pg_try_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint)`;
}
