import { CoalescedRead } from './coalesced-query.ts';
import { serverStart } from './server-start.ts';
import { sql } from '../sql.ts';

/** Rows with a signature, which differs if any of the rows, or their order, differs. */
export interface SignedRows<Row> {
  readonly signature: string;
  readonly rows: readonly Row[];
}

const conditionalReads = new WeakMap<CoalescedRead, CoalescedRead>();

/**
 * The same read with a signature as its last parameter: it returns no rows if they have that signature, so that they
 * are neither sent nor parsed. Otherwise each row includes the new signature; if nothing is found, it is in a row of
 * nulls (docs/decisions/0025).
 *
 * @param read selects, for each row, its `id` and `xmin as row_version`, which PostgreSQL changes with every update
 */
export function conditionalRead(read: CoalescedRead): CoalescedRead {
  let conditional = conditionalReads.get(read);
  if (conditional === undefined) {
    conditional = new CoalescedRead([...read.types, 'text'], (parameters) => {
      const known = parameters[read.types.length] as (typeof parameters)[number];
      return sql.fragment`
        with found as materialized (${read.compose(parameters)})
        select page.signature, found.* from (
          select encode(sha256(convert_to(
            ${serverStart} || coalesce(string_agg(id::text || row_version::text, ','), ''), 'UTF8')), 'hex') as signature
          from found
        ) page left join found on true
        where page.signature is distinct from ${known}`;
    });
    conditionalReads.set(read, conditional);
  }
  return conditional;
}

interface SignedRow {
  /** null if nothing was found. */
  readonly id: string | null;
  /** The signature of all rows together. */
  readonly signature: string;
}

/** @param rows of a conditional read. @returns null if they had the known signature */
export function signedRows(rows: readonly object[]): SignedRows<object> | null {
  const [first] = rows as readonly SignedRow[];
  if (first === undefined) return null;
  return { signature: first.signature, rows: first.id === null ? [] : rows };
}
