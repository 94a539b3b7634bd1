import type pg from 'pg';
import { createBatcher } from './batcher.ts';
import { explain, isRefused } from './failures.ts';
import { bind, sendBatch } from './prepared-batch.ts';
import { inStatementSpans, inTransactionSpan } from './spans.ts';
import { statement } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';
import { verifyRows } from './statements.ts';
import type { Query } from './statements.ts';
import { Ending, leavingTo } from './transaction.ts';
import type { Transaction, Versioned } from './transaction.ts';

/** A change that is being thought through, of which nothing is written before it is committed. */
export interface Attempt<T> {
  /** Writes it, once. @returns what the work gave; rejects as it does */
  commit(): Promise<T>;
}

/** Begins work that may end as an attempt. */
export type AttemptWork = <T>(work: (tx: Transaction) => Promise<T>) => Attempt<T>;

/** What attempts need of the database. */
interface Means {
  readonly pool: pg.Pool;
  /** Whether rows are checked against the type of their statement. */
  readonly verify: boolean;
  readonly shared: <Row>(query: Query<Row>) => Promise<readonly Row[]>;
  /** Does the work in a transaction that locks what it reads. */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Does what follows a commit. */
  readonly finish: (ending: Ending) => Promise<void>;
}

/** The rows of each statement of a change. */
type Found = readonly (readonly unknown[])[];

/** Changes that are committed as one at most, and how many such commits are under way at once. */
const TOGETHER = { most: 32, batches: 2 };

/**
 * Changes without a lock: a row is read in the round trip of other reads, and what is to be written goes with COMMIT, on the
 * condition that the row is still as it was read. Changes that come together are committed as one. Where the condition
 * does not hold, or anything else is refused, nothing of them is written, and each is made by itself in a transaction that
 * locks what it reads (docs/decisions/0039).
 */
export function createAttempts({ pool, verify, shared, transaction, finish }: Means): AttemptWork {
  const commit = (changes: readonly (readonly Query[])[]) => commitAsOne(pool, changes);
  const together = createBatcher(commit, TOGETHER);
  const alone = async (change: readonly Query[]): Promise<Found> => (await commit([change])).flat();

  const write = async (ending: Ending): Promise<void> => {
    const { statements } = ending;
    if (statements.length === 0) return;
    const queries = statements.map(({ query }) => query);
    const writing = (statements.some(({ waits }) => waits) ? alone : together)(queries).catch(explain);
    const written = await inStatementSpans(queries, writing);
    for (const [index, rows] of written.entries()) {
      const { query, read } = statements[index] as (typeof statements)[number];
      if (verify) await verifyRows(query, rows);
      read(rows as readonly never[]);
    }
  };

  return (work) => {
    const ending = new Ending();
    const working = work(unlocked(ending, shared));
    // It is said by the commit; or nobody asks any more.
    working.catch(() => {});
    return {
      async commit() {
        try {
          await working;
          await inTransactionSpan(() => write(ending));
        } catch (error) {
          if (!leftNothing(error)) throw error;
          return transaction(work);
        }
        await finish(ending);
        return working;
      },
    };
  };
}

/** Thrown where work asks for what only a transaction can give it. */
class NeedsTransaction extends Error {}

/** Whether nothing has been written, and the same may be done by a transaction. */
const leftNothing = (error: unknown): boolean => error instanceof NeedsTransaction || isRefused(error);

/** What stands in for a transaction while a change is thought through. */
function unlocked(ending: Ending, shared: Means['shared']): Transaction {
  const refuse = async (): Promise<never> => {
    throw new NeedsTransaction();
  };
  const leaving = leavingTo(ending);
  return {
    any: refuse,
    maybeOne: refuse,
    one: refuse,
    exec: refuse,
    async forChange(row, read) {
      const [found] = await shared(read);
      if (found === undefined) return null;
      leaving.atCommit(unchanged(row, found));
      return found;
    },
    ...leaving,
  };
}

/** Locks a row, and fails where it is not as it was read, or somebody else has it locked: it never waits. */
const unchanged = (row: FragmentSqlToken, { version }: Versioned): Query => statement`
  select from (
    select count(*) from (select from ${row} and version = ${version} for no key update skip locked) as held
  ) as found
  where case when count = 1 then false else ('changed or locked since it was read: ' || count)::boolean end`;

async function commitAsOne(pool: pg.Pool, changes: readonly (readonly Query[])[]): Promise<readonly Found[]> {
  const batch = changes.flat().map(bind);
  const rows = await sendBatch(pool, batch);
  let begin = 0;
  return changes.map(({ length }) => rows.slice(begin, (begin += length)));
}
