import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import { sql } from '../../db/sql.ts';
import { deferredEffect } from '../kernel/deferred-effect.ts';
import { workflowMessage } from '../kernel/workflow-messages.ts';

/**
 * Deletes stored bytes: an object, or all whose keys begin with a key that ends with a slash. Rejects while storage is
 * unavailable, and on time-out.
 */
export type RemoveObject = (key: string, withinMs: number) => Promise<void>;

export const pendingDeletions = deferredEffect(
  {
    table: sql.fragment`doomed_objects`,
    columns: sql.fragment`object_key`,
    target: sql.fragment`object_key`,
  },
  z.string(),
  (objectId, siteId) => workflowMessage('object-removal', { objectId, siteId }),
);

/**
 * Deletes the bytes of an object after the commit of the transaction that removes the last reference.
 *
 * @param writtenUntil until then somebody may still write there, so that the deletion waits
 */
export function scheduleObjectDeletion(
  tx: Effects,
  { db, remove }: { readonly db: Database; readonly remove: RemoveObject },
  siteId: string,
  key: string,
  now: Date,
  writtenUntil: Date = now,
): void {
  const perform = (_: string, timeoutMs: number): Promise<boolean> => remove(key, timeoutMs).then(() => true);
  const waits = writtenUntil > now;
  pendingDeletions.defer(
    { tx, db, siteId, now },
    sql.fragment`${key}::text`,
    waits ? null : perform,
    writtenUntil,
  );
}
