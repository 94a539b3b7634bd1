import type pg from 'pg';
import { createBatcher } from './batcher.ts';
import { inOnePacket, withConnection } from './connection.ts';
import { explain, spoilsConnection } from './failures.ts';
import { isPrepared, sendBatch } from './prepared-batch.ts';
import type { Bound } from './prepared-batch.ts';
import { inStatementSpan } from './spans.ts';
import { prepare } from './statements.ts';
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
  const alone = (batch: readonly Bound[]) => withConnection(pool, (client) => sendBatch(client, batch));
  const inTurn = createBatcher((batches: readonly (readonly Bound[])[]) => sendInTurn(pool, batches), {
    batches: Infinity,
  });
  const shared = async (batch: readonly Bound[]): Promise<void> => inTurn(batch);
  return async (queries, { waits = false } = {}) => {
    const batch = queries.map(({ sql: text, values }) => ({ statement: prepare(text), values }));
    const done = (waits ? alone(batch) : shared(batch)).catch(explain);
    await Promise.all(queries.map(({ sql: text }) => inStatementSpan(text, () => done)));
  };
}

/** @returns what comes of each, as soon as it is known */
async function sendInTurn(
  pool: pg.Pool,
  batches: readonly (readonly Bound[])[],
): Promise<readonly Promise<void>[]> {
  const client = await pool.connect();
  const sent = await inOnePacket(client, async () => {
    const begun: Promise<void>[] = [];
    for (const batch of batches) {
      // What one is to prepare, those behind it lack where it is refused before.
      if (!isPrepared(client, batch)) await Promise.allSettled(begun);
      begun.push(sendBatch(client, batch));
    }
    return begun;
  });
  void Promise.allSettled(sent).then((outcomes) => {
    client.release(outcomes.some((outcome) => 'reason' in outcome && spoilsConnection(outcome.reason)));
  });
  return sent;
}
