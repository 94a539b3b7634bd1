import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { deleteBatch } from '../kernel/batch.ts';

/** Two requests a second (docs/spec/rulings.md, 19, The seven scans), and a little for delays on the way. */
const EVERY_MS = 525;
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

const begunRow = z.object({ wait_ms: z.number() });

/**
 * Begins a turn that was taken and has come. The request before it may have been late: then this one has to wait, and
 * all after it do.
 *
 * @returns in how many milliseconds to try again; 0 if the request may be sent now
 */
export async function beginHostTurn(db: Queryable, host: string): Promise<number> {
  const every = sql.fragment`${EVERY_MS} * interval '1 millisecond'`;
  const begun = await db.maybeOne(sql.type(begunRow)`
    with begun as (
      update scan_host_turns set sent_at = clock_timestamp(), next_at = greatest(next_at, clock_timestamp() + ${every})
      where host = ${host} and (sent_at is null or sent_at <= clock_timestamp() - ${every})
      returning host
    )
    select case
      when exists (select from begun) then 0
      else greatest(1, ceil(extract(epoch from t.sent_at + ${every} - clock_timestamp()) * 1000))
    end::int as wait_ms
    from scan_host_turns t where t.host = ${host}`);
  return begun?.wait_ms ?? 0;
}

/** Deletes a batch of turns that are over. @returns how many */
export const deletePastHostTurns = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'scan_host_turns',
    by: 'next_at',
    until: new Date(now.getTime() - 3_600_000),
    size,
  });
