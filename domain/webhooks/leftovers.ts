import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';

const idRow = z.object({ id: z.string() });

/** Records that an endpoint was deleted, so that its log and its queue, which may be large, are removed later. */
export function recordDeletedEndpoint(tx: Transaction, endpointId: string, now: Date): Promise<number> {
  return tx.exec(statement`
    insert into deleted_webhook_endpoints (id, deleted_at) values (${endpointId}, ${at(now)})`);
}

/**
 * How long an endpoint is deleted before its rows are removed. Events lock no endpoint, so a transaction that has still
 * seen it may add rows; every transaction ends sooner than that (db/timeouts.ts).
 */
export const SETTLED_MS = 5 * 60_000;

/**
 * Removes one batch of the rows of the endpoint that was deleted first, or forgets the endpoint if no rows are left.
 *
 * @param batch maximum number of rows of the log, and of the queue
 * @returns how many rows were removed; 0 if no deleted endpoint is left, or another process is removing them
 */
export async function removeLeftovers(tx: Transaction, now: Date, batch: number): Promise<number> {
  const endpoint = await tx.maybeOne(sql.type(idRow)`
    select id from deleted_webhook_endpoints where deleted_at <= ${at(new Date(now.getTime() - SETTLED_MS))}
    order by deleted_at, id limit 1 for update skip locked`);
  if (endpoint === null) return 0;
  const logged = await tx.exec(statement`
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where endpoint_id = ${endpoint.id}
      order by attempted_at desc, id desc limit ${batch}
    ))`);
  const queued = await tx.exec(statement`
    delete from webhook_queue where ctid = any(array(
      select ctid from webhook_queue where endpoint_id = ${endpoint.id}
      order by event_id limit ${batch} for update skip locked
    ))`);
  if (logged + queued > 0) return logged + queued;
  return tx.exec(statement`
    delete from deleted_webhook_endpoints d where d.id = ${endpoint.id}
      and not exists (select from webhook_deliveries l where l.endpoint_id = d.id)
      and not exists (select from webhook_queue q where q.endpoint_id = d.id)`);
}
