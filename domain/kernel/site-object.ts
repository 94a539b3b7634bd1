import type { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { notFound } from './errors.ts';

/** A kind of object that belongs to a Site. */
interface Kind<Row> {
  readonly row: z.ZodType<Row>;
  readonly columns: FragmentSqlToken;
  /** Its table, with `id` and `site_id`. */
  readonly from: FragmentSqlToken;
  /** Its name for clients. */
  readonly noun: string;
}

/** Makes the functions that read an object by its id. Both throw ServiceError NOT_FOUND, also for another Site's. */
export function siteObject<Row>({ row, columns, from, noun }: Kind<Row>) {
  const read = async (db: Queryable, siteId: string, id: string, lock: FragmentSqlToken): Promise<Row> => {
    const found = await db.maybeOne(sql.type(row)`
      select ${columns} from ${from} where id = ${id} and site_id = ${siteId} ${lock}`);
    if (found === null) throw notFound(noun);
    return found;
  };
  return {
    get: (db: Queryable, siteId: string, id: string): Promise<Row> => read(db, siteId, id, sql.fragment``),
    /** Locks the object until the transaction ends. */
    getForUpdate: (tx: Transaction, siteId: string, id: string): Promise<Row> =>
      read(tx, siteId, id, sql.fragment`for no key update`),
  };
}
