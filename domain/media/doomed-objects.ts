import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { postponed } from '../../db/outbox.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { newId } from '../ids.ts';

const objectKeyRow = z.object({ object_key: z.string() });
const idRow = z.object({ id: z.string() });

/** Deletes stored bytes; rejects while storage is away, and where it takes longer than it may. */
export type RemoveObject = (key: string, withinMs: number) => Promise<void>;

/** How long a request waits for storage to delete. */
const WITHIN_MS = 2_000;

/** When the worker takes over what the request could not delete. */
const HAND_OVER_MS = 5_000;

/**
 * Dooms an object in the transaction that lets go of it: its bytes are deleted once that has committed, and
 * where storage is away, or the process dies, by the workflow `object-removal/<id>`.
 */
export function doomObject(
  tx: Transaction,
  { db, remove }: { readonly db: Database; readonly remove: RemoveObject },
  siteId: string,
  key: string,
  now: Date,
): void {
  const id = newId();
  const message = {
    kind: 'object-removal',
    workflow_id: `object-removal/${id}`,
    payload: { objectId: id, siteId },
  } as const;
  tx.atCommit(statement`
    with message as (${postponed(message, now, new Date(now.getTime() + HAND_OVER_MS))})
    insert into doomed_objects (id, site_id, object_key, outbox_id, created_at)
    select ${id}, ${siteId}, ${key}, message.id, ${at(now)} from message`);
  tx.afterCommit(async () => {
    try {
      await remove(key, WITHIN_MS);
      await forgetDoomed(db, id);
    } catch {
      // Storage or database is away: the worker does it.
    }
  });
}

/** The key of an object that is still to be deleted, or null when that has been done. */
export async function findDoomed(db: Queryable, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(objectKeyRow)`
    select object_key from doomed_objects where id = ${id}`);
  return row?.object_key ?? null;
}

/** Objects that should have been deleted long ago: their process was lost. */
export async function findForgottenObjects(db: Queryable, before: Date, count: number): Promise<string[]> {
  const rows = await db.any(sql.type(idRow)`
    select id from doomed_objects where created_at <= ${at(before)} order by created_at, id limit ${count}`);
  return rows.map(({ id }) => id);
}

/** Notes that the bytes are gone. */
export async function forgetDoomed(db: Queryable, id: string): Promise<void> {
  await db.exec(statement`
    with done as (delete from doomed_objects where id = ${id} returning outbox_id)
    delete from outbox o using done where o.id = done.outbox_id`);
}
