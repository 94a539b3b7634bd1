import type pg from 'pg';
import { inOnePacket } from './connection.ts';
import { rethrowClassified, throwRejected } from './failures.ts';
import { send } from './throughput/prepared-query.ts';
import type { Prepared, Result } from './throughput/prepared-query.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * The differences behind a pooler that gives out a connection for one transaction (docs/decisions/0050): no setting
 * outlives a transaction, so each one, and each single statement, begins by making its own.
 */
export function pooledBegin({ lock, statement, idleInTransaction, transaction }: Timeouts): Prepared {
  return {
    text: [
      'begin isolation level read committed',
      `set local lock_timeout = ${lock}`,
      `set local statement_timeout = ${statement}`,
      `set local idle_in_transaction_session_timeout = ${idleInTransaction}`,
      `set local transaction_timeout = ${transaction}`,
      "set local timezone = 'UTC'",
    ].join('; '),
  };
}

/** Begins a transaction for one statement that has its own time and takes a single processor of the server. */
export const limitedBegin = (timeouts: Timeouts, limitMs: number): Prepared => ({
  text: `${pooledBegin({ ...timeouts, statement: limitMs }).text}; set local max_parallel_workers_per_gather = 0`,
});

const COMMIT = { text: 'commit' };

/** Runs one statement in a transaction of its own, on one round trip. */
export async function sendInTransaction(
  client: pg.PoolClient,
  begin: Prepared,
  statement: Prepared,
  values: readonly unknown[],
): Promise<Result> {
  const sent = inOnePacket(client, () =>
    [send(client, begin), send(client, statement, values), send(client, COMMIT)].map((answer) =>
      answer.catch(rethrowClassified),
    ),
  );
  // After a failed statement, COMMIT rolls back.
  throwRejected(await Promise.allSettled(sent));
  return (await sent[1]) as Result;
}
