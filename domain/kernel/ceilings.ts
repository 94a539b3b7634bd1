import { z } from 'zod';
import { sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from './errors.ts';

const countRow = z.object({ count: z.number() });

/** A limit on how many of something a Site may have. */
export interface Ceiling {
  readonly limit: number;
  /** Selects a row for each existing one. */
  readonly existing: FragmentSqlToken;
  /** The message for the client: the limit, and what to do about it. */
  readonly message: string;
}

/**
 * Checks that a Site may have one more of something, which the caller then adds in the same transaction. The Site's row
 * stays locked until the transaction ends, so that concurrent additions count each other.
 *
 * @throws ServiceError CONFLICT
 */
export async function requireRoom(tx: Transaction, siteId: string, ceiling: Ceiling): Promise<void> {
  const { limit, existing, message } = ceiling;
  await tx.exec(statement`select from sites where id = ${siteId} for no key update`);
  const { count } = await tx.one(sql.type(countRow)`
    select count(*)::int as count from (select from (${existing}) existing limit ${limit}) counted`);
  if (count >= limit) throw conflict(message);
}
