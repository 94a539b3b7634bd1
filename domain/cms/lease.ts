import type { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { targetColumns, targetRow } from './target.ts';

/** How long a process pushes without renewing its lease. */
export const LEASE_MS = 20_000;

/** A connection that one process pushes to. */
export type LeasedConnection = z.infer<typeof targetRow>;

const until = (now: Date): string => at(new Date(now.getTime() + LEASE_MS));

/**
 * Takes the right to push, or renews it. The values of the connection are those of this moment.
 *
 * @returns null if another process has it, or the connection is disabled, deleted, or asked to be left alone
 */
export const takeLease = (
  tx: Transaction,
  connectionId: string,
  leaseId: string,
  now: Date,
): Promise<LeasedConnection | null> =>
  tx.maybeOne(sql.type(targetRow)`
    update cms_connections c set leased_by = ${leaseId}, leased_until = ${until(now)}
    from sites s
    where c.id = ${connectionId} and s.id = c.site_id and c.enabled and c.deleted_at is null
      and s.deleting_since is null and coalesce(c.held_until, '-infinity') <= ${at(now)}
      and (c.leased_until is null or c.leased_until <= ${at(now)} or c.leased_by = ${leaseId})
    returning ${targetColumns}`);

/** @returns whether the process still has the right to push, for a while longer */
export const renewLease = async (
  tx: Transaction,
  connectionId: string,
  leaseId: string,
  now: Date,
): Promise<boolean> =>
  (await tx.exec(statement`
    update cms_connections set leased_until = ${until(now)}
    where id = ${connectionId} and leased_by = ${leaseId} and enabled and deleted_at is null`)) > 0;

export const releaseLease = (tx: Transaction, connectionId: string, leaseId: string): Promise<number> =>
  tx.exec(statement`
    update cms_connections set leased_by = null, leased_until = null
    where id = ${connectionId} and leased_by = ${leaseId}`);
