import { OneStatement } from './effects.ts';
import { refusedByState } from './failures.ts';
import type { Query } from './statements.ts';
import type { Reader, Rows } from './transaction.ts';

/** Each number of effects has a text of its own, which every connection plans. Few changes have more than this. */
const MAX_EFFECTS = 12;

/** The result of a change, once it has been committed. */
export interface Written<T> {
  readonly result: T;
  /** The work after the commit. */
  readonly effects: OneStatement;
}

/**
 * Makes a change with one statement that commits by itself. It locks only the rows it changes, and only while it runs.
 *
 * @param change computes the effects from rows that are read without a lock; without effects nothing is sent
 * @param send runs the statement
 * @returns null if nothing was written: the row has changed since it was read, a constraint or a condition stands
 *   against it, or it has too many effects. The same change in a transaction then succeeds, or finds out why
 */
export async function writeOptimistically<T>(
  rows: Reader,
  change: (rows: Rows, effects: OneStatement) => Promise<T>,
  send: <Row>(query: Query<Row>) => Promise<Row>,
): Promise<Written<T> | null> {
  const effects = new OneStatement();
  const insert: Rows['insert'] = async (statement) => {
    effects.change(statement);
    return true;
  };
  const result = await change({ ...rows, locks: false, insert }, effects);
  if (effects.size > MAX_EFFECTS) return null;
  const composed = effects.compose();
  if (composed === null) return { result, effects };
  try {
    const outcome = await send(composed);
    if (!outcome.changed) return null;
    effects.read(outcome);
    return { result, effects };
  } catch (error) {
    if (refusedByState(error)) return null;
    throw error;
  }
}
