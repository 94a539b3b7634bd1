import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { deleteBatch } from '../kernel/batch.ts';

const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes a batch of pushes that ended 30 days ago, with their items. @returns how many */
export const deleteOldPushes = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'cms_pushes',
    by: 'finished_at',
    until: new Date(now.getTime() - RETENTION_MS),
    where: sql.fragment`finished_at is not null`,
    size,
  });

const idRow = z.object({ id: z.string() });

/**
 * Removes a batch of the rows of a deleted connection, or the connection itself if no rows are left.
 *
 * @returns how many rows were removed; 0 if no deleted connection is left, or another process is removing them
 */
export async function removeDeletedConnection(tx: Transaction, size: number): Promise<number> {
  const connection = await tx.maybeOne(sql.type(idRow)`
    select id from cms_connections where deleted_at is not null order by deleted_at, id limit 1
    for update skip locked`);
  if (connection === null) return 0;
  const { id } = connection;
  let removed = 0;
  for (const table of ['cms_pushes', 'cms_remote_posts', 'cms_remote_images'])
    removed += await tx.exec(statement`
      delete from ${sql.identifier([table])} where ctid = any(array(
        select ctid from ${sql.identifier([table])} where connection_id = ${id} limit ${size}))`);
  if (removed > 0) return removed;
  return tx.exec(statement`delete from cms_connections where id = ${id}`);
}
