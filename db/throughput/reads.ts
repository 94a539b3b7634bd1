import { inStatementSpan } from '../spans.ts';
import { verifyRows } from '../statements.ts';
import type { Run } from '../statements.ts';
import type { CoalescedQuery, CoalescedRead } from './coalesced-query.ts';
import { createCoalescedReads } from './coalesced-reads.ts';
import { conditionalRead, signedRows } from './conditional-reads.ts';
import type { SignedRows } from './conditional-reads.ts';
import { prepare } from './prepared-query.ts';

/** Reads outside transactions that share round trips. */
export interface Reads {
  /** All rows. Concurrent queries that differ only in their values share a round trip (request coalescing). */
  coalesced<Row>(query: CoalescedQuery<Row>): Promise<readonly Row[]>;
  /**
   * The same, if the rows do not have the known signature (null for none); else null. The query also selects `id` and
   * `xmin as row_version` of each row.
   */
  ifChanged<Row>(query: CoalescedQuery<Row>, known: string | null): Promise<SignedRows<Row> | null>;
}

/** @param verify whether rows are checked against the type of their query */
export function createReads(run: Run, verify: boolean): Reads {
  const coalesce = createCoalescedReads(async (text, values) => (await run(prepare(text), values)).rows);
  const coalesced = (read: CoalescedRead, values: readonly unknown[]) =>
    inStatementSpan(read.text, () => coalesce(read, values));
  return {
    async coalesced<Row>(query: CoalescedQuery<Row>) {
      const rows = await coalesced(query.read, query.values);
      if (verify) await verifyRows(query, rows);
      return rows as readonly Row[];
    },
    async ifChanged<Row>(query: CoalescedQuery<Row>, known: string | null) {
      const rows = await coalesced(conditionalRead(query.read), [...query.values, known]);
      const changed = signedRows(rows);
      if (verify && changed !== null) await verifyRows(query, changed.rows);
      return changed as SignedRows<Row> | null;
    },
  };
}
