import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { deleteBatch } from '../batch.ts';

/** Two requests a second (docs/spec/rulings.md, 19, The seven scans). */
const EVERY_MS = 500;
/** A turn that is further away is not taken. */
const LONGEST_WAIT_MS = 20_000;

const turnRow = z.object({ wait_ms: z.number() });

/**
 * Takes the next turn of a host. The time is the database's: that of the workers may differ.
 *
 * @returns in how many milliseconds it is; null if too many others wait
 */
export async function takeHostTurn(db: Queryable, host: string): Promise<number | null> {
  const turn = await db.maybeOne(sql.type(turnRow)`
    insert into scan_host_turns as t (host, next_at)
    values (${host}, clock_timestamp() + ${EVERY_MS} * interval '1 millisecond')
    on conflict (host) do update
      set next_at = greatest(t.next_at, clock_timestamp()) + ${EVERY_MS} * interval '1 millisecond'
      where t.next_at < clock_timestamp() + ${LONGEST_WAIT_MS} * interval '1 millisecond'
    returning greatest(0, ceil(extract(epoch from t.next_at - clock_timestamp()) * 1000) - ${EVERY_MS})::int as wait_ms`);
  return turn?.wait_ms ?? null;
}

/** Deletes a batch of turns that are over. @returns how many */
export const deletePastHostTurns = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'scan_host_turns',
    by: 'next_at',
    until: new Date(now.getTime() - 3_600_000),
    size,
  });
