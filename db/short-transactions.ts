import type pg from 'pg';
import { createBatcher } from './batcher.ts';
import { explain, isRefused } from './failures.ts';
import { bind, bindComposed, sendBatch } from './prepared-batch.ts';
import type { Bound } from './prepared-batch.ts';
import { inStatementSpans } from './spans.ts';
import type { Query } from './statements.ts';
import { insertAll } from './value-sets.ts';
import type { ForSets } from './value-sets.ts';

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

type Statements = readonly Query[];

/** Transactions that are committed as one at most. */
const TOGETHER = 32;
/** Characters of a value from which it is sent by itself: what comes with it would wait for it. */
const LARGE = 100_000;
/** Texts of statements that are told apart; what comes beyond is committed alone. */
const TEXTS = 100;

/**
 * Runs transactions of a single round trip. Those that insert rows and come together are committed as one, where those of
 * one shape insert by one statement: most of what a row costs the server is beginning and ending a statement and a
 * transaction (docs/decisions/0040). Where anything in it is refused nothing of it is written, and each is made by itself.
 * Any other goes alone, and so does one that may have to wait for somebody's lock, or the others would wait with it.
 */
export function createShortTransactions(pool: pg.Pool): RunTogether {
  const alone = (queries: Statements): Promise<unknown> => sendBatch(pool, queries.map(bind));
  const asOne = async (group: readonly Statements[]): Promise<readonly unknown[]> => {
    try {
      await sendBatch(pool, merge(group));
      return [];
    } catch (error) {
      if (group.length === 1 || !isRefused(error)) throw error;
      return group.map(alone);
    }
  };
  const together = createBatcher(asOne, { most: TOGETHER });
  return async (queries, { waits = false } = {}) => {
    const joins = !waits && queries.every(insertsRow);
    const done = (joins ? together(queries) : alone(queries)).catch(explain);
    await inStatementSpans(queries, done);
  };
}

/** How to insert several rows at once, by the text of the statement that inserts one; null for any other statement. */
const insertions = new Map<string, ForSets | null>();

function insertionOf(text: string): ForSets | null {
  let insertion = insertions.get(text);
  if (insertion === undefined) {
    if (insertions.size >= TEXTS) return null;
    insertion = insertAll(text);
    insertions.set(text, insertion);
  }
  return insertion;
}

const insertsRow = ({ sql, values }: Query): boolean =>
  insertionOf(sql) !== null && values.every((value) => typeof value !== 'string' || value.length <= LARGE);

function merge(group: readonly Statements[]): Bound[] {
  const shapes = Map.groupBy(group, (queries) => queries.map(({ sql }) => sql).join(';'));
  return [...shapes.values()].flatMap((alike) => {
    const [first = []] = alike;
    if (alike.length === 1) return first.map(bind);
    return first.map(({ sql }, index) => {
      const insertion = insertionOf(sql) as ForSets;
      return bindComposed(insertion(alike.map((queries) => (queries[index] as Query).values)));
    });
  });
}
