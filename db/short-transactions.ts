import type pg from 'pg';
import { createBatcher } from './batcher.ts';
import { inOnePacket, withConnection } from './connection.ts';
import { explain, spoilsConnection } from './failures.ts';
import { flush, WITHOUT_FLUSH } from './flushing.ts';
import { bind, isPrepared, sendBatch } from './prepared-batch.ts';
import type { Bound } from './prepared-batch.ts';
import { inStatementSpans } from './spans.ts';
import type { Query } from './statements.ts';

/** Statements that give no rows, which are a transaction. */
export interface ShortTransaction {
  readonly statements: readonly Query[];
  /** Whether they may have to wait for a lock that others hold for long. */
  readonly waits: boolean;
}

/** Statements that give no rows, to be carried out all or not at all. */
export type RunTogether = (
  queries: readonly Query[],
  options?: { readonly waits?: boolean },
) => Promise<void>;

/**
 * Runs transactions of a single round trip. Those that come together go down one connection, one behind the other, which
 * wakes a process of the server once for all of them; each is committed or refused by itself. One that may have to wait
 * for somebody's lock gets a connection of its own, or the others would wait with it.
 */
export function createShortTransactions(pool: pg.Pool): RunTogether {
  const alone = (batch: readonly Bound[]): Promise<unknown> =>
    withConnection(pool, (client) => sendBatch(client, batch));
  const inTurn = createBatcher((batches: readonly (readonly Bound[])[]) => sendInTurn(pool, batches), {
    batches: Infinity,
  });
  const shared = async (batch: readonly Bound[]): Promise<unknown> => inTurn(batch);
  return async (queries, { waits = false } = {}) => {
    const batch = queries.map(bind);
    const done = (waits ? alone(batch) : shared(batch)).catch(explain);
    await inStatementSpans(
      queries.map(({ sql }) => sql),
      done,
    );
  };
}

/**
 * Only the last waits for the disk, with which those before it are there as well.
 *
 * @returns what comes of each, once it is safe
 */
async function sendInTurn(
  pool: pg.Pool,
  batches: readonly (readonly Bound[])[],
): Promise<readonly Promise<unknown>[]> {
  const client = await pool.connect();
  const begun: Promise<unknown>[] = [];
  await inOnePacket(client, async () => {
    for (const [index, batch] of batches.entries()) {
      const whole = index < batches.length - 1 ? [WITHOUT_FLUSH, ...batch] : batch;
      // What one is to prepare, those behind it lack where it is refused before.
      if (!isPrepared(client, whole)) await Promise.allSettled(begun);
      begun.push(sendBatch(client, whole));
    }
  });
  const last = begun.at(-1);
  // One that was refused has written nothing.
  const flushed = begun.length > 1 ? last?.catch(() => flush(client)) : last;
  void Promise.allSettled([...begun, flushed]).then((outcomes) => {
    client.release(outcomes.some((outcome) => 'reason' in outcome && spoilsConnection(outcome.reason)));
  });
  return begun.map((done) => (done === last ? done : done.then(() => flushed)));
}
